"""The parts of the Extract page: what it reads (`facts`), the record viewer, and its export."""
