"""The parts of the Generate page: what it reads (`facts`, `checks`, `groups`), its cards, the import."""
