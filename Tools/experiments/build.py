"""Builds the command as it is released."""

import os
import subprocess


def release(root):
    """The path of the built command."""
    built = subprocess.run([os.path.join(root, "Tools", "release")], stdout=subprocess.PIPE, text=True, check=True)
    return built.stdout.strip()
