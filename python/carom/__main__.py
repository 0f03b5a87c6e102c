"""The command line: `carom`, or `python -m carom`."""

from __future__ import annotations

import signal
import sys

from carom._carom import command_line


def main() -> None:
    """Runs the command line, and ends with its exit code."""
    # Python only notes Ctrl-C, and would look at it after the command.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(command_line(["carom", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
