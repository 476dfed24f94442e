"""The crawl: one worker loop over host visits, and what it decides about each page."""
