"""The saved project: its document, its file, recovery after a crash, the lock between windows."""
