"""The guarded way out: where we may connect, how much we take, how it is decoded."""
