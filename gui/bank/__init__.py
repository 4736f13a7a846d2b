"""The bank builder in the window: `editor` is the dialog, `facts` what it reads and writes."""
