"""Results in lines for a terminal: plain functions that take results and return text.

`outcomes` tells what a job did, `analysis` and `agreement` the headline of their tables, `validation` its two
tables, `exact` all tables as JSON. What is printed where is decided in `main.py`.
"""
