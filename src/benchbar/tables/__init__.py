"""Tables and documents from outside: one reader each, and what was understood of them."""
