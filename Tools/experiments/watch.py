"""What happens to a name in a folder, told by inotify: nothing escapes between two looks."""

import ctypes
import os
import struct

CREATE, MOVED_TO, MODIFY, DELETE = 0x100, 0x80, 0x2, 0x200
NAMES = {CREATE: "created", MOVED_TO: "renamed", MODIFY: "written to", DELETE: "deleted"}
HEADER = struct.Struct("iIII")


class Watch:
    """The events of a folder since it was made, in order."""

    def __init__(self, folder):
        library = ctypes.CDLL(None, use_errno=True)
        self.file = library.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        mask = CREATE | MOVED_TO | MODIFY | DELETE
        if self.file < 0 or library.inotify_add_watch(self.file, os.fsencode(folder), mask) < 0:
            raise OSError(ctypes.get_errno(), f"cannot watch {folder}")

    def events(self):
        """What has come since the last call: pairs of a word and a name."""
        found = []
        while True:
            try:
                data = os.read(self.file, 65536)
            except BlockingIOError:
                return found
            while data:
                _, mask, _, length = HEADER.unpack_from(data)
                name = data[HEADER.size:HEADER.size + length].rstrip(b"\0")
                found.append((NAMES.get(mask & 0xFFF, "?"), os.fsdecode(name)))
                data = data[HEADER.size + length:]

    def close(self):
        os.close(self.file)
