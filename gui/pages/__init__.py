"""The eight pages of the window, one file each, imported when first shown (see `gui.main_window`)."""
