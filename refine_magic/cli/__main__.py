"""``python -m refine_magic.cli``."""

from refine_magic.cli import main

main(prog_name="refine-magic")
