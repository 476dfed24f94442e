"""What a source may be, when it is due, how lists of sources are read and written, and the catalogue that ships."""
