"""What vulture takes for unused and is used: by click, by msgspec, by pytest, by other people's plugins."""
