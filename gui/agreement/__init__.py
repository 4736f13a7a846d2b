"""Parts of the Agreement page: reading and computing, the grid, the axis, the drawer, the figure."""
