"""From the bytes of a document to its text: readers per format, and the sandbox they run in."""
