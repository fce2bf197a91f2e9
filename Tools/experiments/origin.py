"""An HTTP/1.1 server on 127.0.0.1 whose files can be changed, held, cut, paced and refused, and which counts what it
sends: the judge of Tools/compare and Tools/check-kill."""

import random
import re
import socket
import threading
import time
from dataclasses import dataclass, field
from email.utils import formatdate, parsedate_to_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

CHUNK = 16 * 1024
# A held file moves on by this much now and then: programs that look at signals when bytes come do look.
DROP = 1024
DROP_SECONDS = 0.05
# Small, so that bytes that were sent are bytes that have nearly arrived.
SEND_BUFFER = 16 * 1024


def noise(size, seed):
    """Bytes of which no two stretches are alike."""
    return random.Random(seed).randbytes(size)


@dataclass
class Resource:
    """A file of the server, and how it is to be answered for."""

    body: bytes
    tag: str = '"one"'
    # Long ago, so that the time is a strong validator beside the answer's Date (RFC 9110, 8.8.2.2).
    modified: float = 1_600_000_000.0
    # "if-range": as RFC 9110 says; "ignores-if-range": 206 whatever If-Range asks; "none": no ranges.
    ranges: str = "if-range"
    # Bytes per second of one connection; None: as fast as it goes.
    pace: int | None = None
    # Once so many bytes of this file have been sent, it only trickles until the hold is None.
    hold: int | None = None
    # The connection closes before this offset, so many more times.
    cut: int | None = None
    cuts: int = 0
    # The next answers are 503 with these values of Retry-After.
    refusals: list = field(default_factory=list)
    # Body bytes that were sent, over all connections.
    sent: int = 0
    # The offset after the last byte that was sent.
    reached: int = 0


class Origin:
    """A server with its files and its record. Changes are made under `changed`, which tells of every step."""

    def __init__(self):
        self.files = {}
        self.requests = []
        self.changed = threading.Condition()
        self.is_over = False
        self.server = Listener(("127.0.0.1", 0), Conversation)
        self.server.origin = self
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True)
        self.thread.start()

    def url(self, path):
        return f"http://127.0.0.1:{self.server.server_address[1]}{path}"

    def until(self, condition, seconds):
        """Waits for a condition on the record; whether it came."""
        with self.changed:
            return self.changed.wait_for(condition, seconds)

    def change(self, path, **values):
        with self.changed:
            for name, value in values.items():
                setattr(self.files[path], name, value)
            self.changed.notify_all()

    def unread(self):
        """Bytes that are between the server and its clients, in buffers of the system."""
        port = f"{self.server.server_address[1]:04X}"
        count = 0
        with open("/proc/net/tcp", encoding="ascii") as table:
            for line in table.readlines()[1:]:
                _, here, there, _, queues, *_ = line.split()
                waiting, arrived = (int(number, 16) for number in queues.split(":"))
                if here.endswith(f":{port}"):
                    count += waiting
                elif there.endswith(f":{port}"):
                    count += arrived
        return count

    def close(self):
        with self.changed:
            self.is_over = True
            self.changed.notify_all()
        self.server.shutdown()
        self.server.server_close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


class Listener(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def server_bind(self):
        # Connections inherit it.
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        super().server_bind()

    def handle_error(self, request, client_address):
        """Clients may go away as they like."""


class Conversation(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        """The record is enough."""

    def do_HEAD(self):
        self.answer()

    def do_GET(self):
        self.answer()

    def answer(self):
        origin = self.server.origin
        with origin.changed:
            file = origin.files.get(self.path)
            refusal = file.refusals.pop(0) if file and file.refusals else None
            origin.requests.append((time.monotonic(), self.command, self.path, self.headers.get("Range")))
            origin.changed.notify_all()
        if file is None:
            return self.short(404)
        if refusal is not None:
            return self.short(503, ("Retry-After", refusal))
        if self.is_unmodified(file):
            self.send_response(304)
            for name, value in self.validators(file):
                self.send_header(name, value)
            return self.end_headers()
        body, total = file.body, len(file.body)
        first, last = self.range_of(file, total)
        if first is not None and first >= total:
            return self.short(416, ("Content-Range", f"bytes */{total}"), *self.validators(file))
        self.send_response(200 if first is None else 206)
        if first is None:
            first, last = 0, total - 1
        else:
            self.send_header("Content-Range", f"bytes {first}-{last}/{total}")
        for name, value in self.validators(file):
            self.send_header(name, value)
        self.send_header("Accept-Ranges", "none" if file.ranges == "none" else "bytes")
        self.send_header("Content-Type", "application/octet-stream")
        self.send_header("Content-Length", str(last + 1 - first))
        self.end_headers()
        if self.command == "GET":
            self.send(file, body, first, last + 1)

    def short(self, status, *fields):
        text = b"no\n"
        self.send_response(status)
        for name, value in fields:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(text)

    def validators(self, file):
        return ("ETag", file.tag), ("Last-Modified", formatdate(file.modified, usegmt=True))

    def is_unmodified(self, file):
        """What If-None-Match, or without it If-Modified-Since, asks."""
        tag = self.headers.get("If-None-Match")
        since = parsedate_to_datetime(self.headers["If-Modified-Since"]) if "If-Modified-Since" in self.headers else None
        return tag == file.tag if tag else since is not None and since.timestamp() >= file.modified

    def range_of(self, file, total):
        """The first and last offset that a good Range asks for; None twice where the whole file is the answer."""
        found = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if not found or file.ranges == "none":
            return None, None
        condition = self.headers.get("If-Range")
        is_same = condition in (None, file.tag, formatdate(file.modified, usegmt=True))
        if file.ranges == "if-range" and not is_same:
            return None, None
        last = int(found[2]) if found[2] else total - 1
        return int(found[1]), min(last, total - 1)

    def send(self, file, body, position, end):
        origin = self.server.origin
        began, start = time.monotonic(), position
        while position < end:
            stop = min(position + CHUNK, end)
            with origin.changed:
                if file.hold is not None and file.sent >= file.hold:
                    stop = min(position + DROP, end)
                    origin.changed.wait_for(lambda: origin.is_over or file.hold is None, DROP_SECONDS)
                if origin.is_over:
                    break
                if file.cuts > 0 and position <= file.cut < end:
                    stop = min(stop, file.cut)
                    if position == file.cut:
                        file.cuts -= 1
                        break
            count = self.connection.send(body[position:stop])
            position += count
            with origin.changed:
                file.sent += count
                file.reached = max(file.reached, position)
                origin.changed.notify_all()
            if file.pace:
                time.sleep(max(0, began + (position - start) / file.pace - time.monotonic()))
        if position < end:
            self.close_connection = True
