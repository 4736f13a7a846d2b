"""The annotation screen: ten pictures, one question, a keyboard.

`screen.AnnotateScreen` shows an `annotation.session.Session` and passes acts on to it; it holds no rule and
no answer of its own. It stands inside the window's Annotate page and alone for a packet. What it shows
comes from the session only, and nothing that could tell an annotator what a picture is: positions, never
names, paths or sizes. Start reading at `screen`, then `key_dispatcher`.
"""
