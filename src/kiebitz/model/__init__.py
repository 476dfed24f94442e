"""What Kiebitz talks about: plain dataclasses, no I/O."""
