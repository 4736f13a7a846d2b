"""What each command of the validation study does and says, as functions that yield lines.

They take an open study and the words of the command line (`core.team_arguments`), read what is asked for,
change what is to be changed through the study, and yield what is to be printed. `main.py` opens the study,
hands in what reads and writes files of other packages, and prints.
"""
