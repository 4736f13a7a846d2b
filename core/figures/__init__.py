"""Figures for the window, the command line, the report and a paper: the tables, drawn.

One kind of figure a file, each with a function from result tables to a `Drawing`: a name, a caption that
says what n is, the words for somebody who does not see it, the data behind it as a table, and a function
that draws it as a matplotlib `Figure`. `catalogue` gathers those that an analysis or an agreement run
allows, `writing` turns them into PNG, SVG, PDF and CSV, the same bytes every time. `look` holds the
colours and signs, `canvas` the style; nothing uses pyplot or leaves anything in matplotlib's settings.

Meaning is never by colour alone: conditions and generators have shapes, verdicts are filled, outlined or
faint, so that all of it survives a grey printer. matplotlib is imported inside functions.
"""
