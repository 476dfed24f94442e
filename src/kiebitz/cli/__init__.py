"""The command line: one file per verb.

The garbage collector is off while modules are imported: it would look at everything again and again and free nothing.
``session.run_async`` turns it on.
"""

import gc

gc.disable()
