"""The only place that knows adapters: which backend, wired how."""
