"""Result tables as LaTeX in the shape of the published paper: booktabs, escaped, with n in the caption.

`table` writes one `LatexTable`, `escaping` makes any text harmless, `bias` shapes published tables 8, 9 and
10, `labels` tables 2, 3 and 11, `checks` tables 1 and 7 (extraction against prompts whose attribute is
stated). `writing` puts them, with a document that shows them all, into a folder. Our numbers of audit mode
go into the same shapes; a caption says which mode its numbers are of.
"""
