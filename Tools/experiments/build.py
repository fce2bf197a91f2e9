"""Builds the command as it is released."""

import subprocess
import sys


def release(root):
    """The path of the built command."""
    words = ["swift", "build", "--package-path", root, "-c", "release", "--product", "whirl", "--static-swift-stdlib"]
    subprocess.run(words, stdout=sys.stderr, check=True)
    shown = subprocess.run([*words, "--show-bin-path"], capture_output=True, text=True, check=True)
    return f"{shown.stdout.strip()}/whirl"
