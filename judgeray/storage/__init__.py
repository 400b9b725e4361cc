"""Folders and files wherever they are: on a disk that this machine sees, or in an object store."""
