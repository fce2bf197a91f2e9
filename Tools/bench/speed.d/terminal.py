"""A program on a pseudo-terminal of its own."""

import fcntl
import os
import pty
import struct
import subprocess
import termios
import threading


class Terminal:
    def __init__(self, words, directory, keep=()):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        environment = dict(os.environ, TERM="xterm-256color", LC_ALL="C.UTF-8")
        for name in ("SSH_CONNECTION", "CI"):
            environment.pop(name, None)
        self.running = subprocess.Popen(
            words, cwd=directory, env=environment, stdin=slave, stdout=slave, stderr=slave, pass_fds=keep,
            start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        self.process = self.running.pid
        os.close(slave)
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        try:
            while os.read(self.master, 1 << 16):
                pass
        except OSError:
            pass

    def end(self, keys=b""):
        """Waits for its end, after keys that ask for it."""
        if keys:
            os.write(self.master, keys)
        self.running.wait()
        self.reader.join()
        os.close(self.master)
