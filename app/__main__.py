"""`python -m app` is the command `palimpsest`, also where the project is not installed."""

from app.cli import main

main()
