"""`python -m benchbar` is the same as `benchbar`."""

from benchbar.cli.main import main

main()
