"""Parts of the Results page: reading and computing, the chart, the table, the drawer, the figure."""
