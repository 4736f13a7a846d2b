"""Reviewing the label map: `review` is the dialog, `detail` one label, `facts` what they read and write."""
