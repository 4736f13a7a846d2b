"""The report of a study: one HTML file that loads nothing, and the same as PDF.

`material` is everything that it says, in plain values; `sections` turns that into headings, sentences,
tables and figures (`blocks`), once, so that HTML and PDF cannot differ in content; `html` and `pdf` write
them; `writing` is the job. Sentences hold no more than the tables do: where an interval leaves a question
open, the report says that it is open.
"""
