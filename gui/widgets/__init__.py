"""Parts that pages are made of; painted by hand where the design asks for it, and only from roles."""
