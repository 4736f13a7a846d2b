"""What a design can show, beside the Study page: controls, a chart of the power, and the numbers."""
