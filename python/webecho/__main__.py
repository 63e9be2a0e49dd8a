"""`python -m webecho`: the command line."""

from webecho.cli import main

main(prog_name="webecho")
