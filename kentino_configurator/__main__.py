"""``python -m kentino_configurator``: the command line, which opens the window when no command is given."""

import sys

from kentino_configurator.cli import main

if __name__ == "__main__":
    sys.exit(main())
