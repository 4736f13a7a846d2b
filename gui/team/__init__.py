"""The parts of the Team page: what it reads (`facts`), its cards, its dialogs."""
