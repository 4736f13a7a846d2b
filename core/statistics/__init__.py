"""The measures, one a file: pure functions from arrays to a small frozen result.

BI is Bias Intensity, CCS the Context Consistency Score. An undefined value is None with a reason,
never 0, 1 or NaN.
"""
