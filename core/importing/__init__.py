"""Pictures made elsewhere: what a folder holds, what each file means, and the job that brings them in."""
