"""What the commands of results do and say; those of one part of `core` are in that part's `commands`.

They take an open study and the words of the command line, and yield what is to be printed; `main.py` opens
the study, hands in what reads files of other packages, and prints.
"""
