"""At the side, a plugin: estimates from any table, each declared by its columns, options and rows to print."""
