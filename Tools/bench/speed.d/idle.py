"""What a run costs in which everything is paused."""

import glob
import os
import time

import terminal

SECONDS = 5


def spent(process):
    """Nanoseconds of processor time of all its threads."""
    total = 0
    for path in glob.glob(f"/proc/{process}/task/*/schedstat"):
        with open(path, encoding="ascii") as file:
            total += int(file.read().split()[0])
    return total


def idle(machine, record):
    """A row of the table."""
    directory = os.path.join(machine.memory, "idle")
    os.mkdir(directory)
    urls = [f"http://127.0.0.1:{machine.plain}/small/f{number}" for number in range(100)]
    run = terminal.Terminal([machine.whirl, "-f", "ncurses", "--start-paused", "-d", directory, *urls], directory)
    time.sleep(2)
    began = spent(run.process)
    time.sleep(SECONDS)
    share = (spent(run.process) - began) / SECONDS / 1e7
    run.end(b"qq")
    record({"case": "idle", "tool": "whirl", "share": share})
    verdict = "" if share <= 0.2 else " **missed**"
    return f"| 100 files paused, `ncurses` | {share:.3f} % of a processor | | under 0.2 %{verdict} |"
