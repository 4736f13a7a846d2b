"""People and pipeline side by side: `panel` is the view, `facts` what it reads, `tiles` the ten images."""
