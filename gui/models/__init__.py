"""Tables as Qt item models."""
