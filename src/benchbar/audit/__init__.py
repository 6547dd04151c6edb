"""At the side, a plugin: what cannot be true in a published table, with its evidence and how sure it is."""
