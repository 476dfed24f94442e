"""Search, without an engine: what people type, what words are made of, where they stand, and what may have been meant."""
