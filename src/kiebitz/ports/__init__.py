"""The ports: small Protocols whose docstrings are the contract. Adapters implement them, tests check them."""
