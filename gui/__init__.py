"""The window: PySide6, and only here.

May import everything below it. No rule and no number lives here: pages show what `storage`, `annotation`
and `core` give them, and every long act is a job stepped by `tasks`. Start at `app`, then `main_window`.
"""
