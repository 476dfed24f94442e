"""From what a crawl stored to texts: jobs in, records in ``Texts`` out.

``reader`` works on the jobs, ``bundles`` makes jobs of sealed bundles and takes the pages out of them, ``records`` says
what is stored of each text, ``ledger`` makes it durable. ``deploy/indexing.py`` takes it from there.
"""
