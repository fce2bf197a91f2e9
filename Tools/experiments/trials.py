"""What Tools/compare does to each program: judged by the bytes at the end, by the exit code and by the server's record,
never by what the program says."""

import os
import signal
import subprocess
import tempfile
import time
from itertools import permutations

from origin import Origin, Resource, noise

SIZE = 6 << 20
# What may be sent twice when a connection breaks: buffers of the kernel and of the program.
WINDOW = 1 << 20
# Longer than anything takes here that ends by itself.
PATIENCE = 12
NAME = "data.bin"
PATH = f"/files/{NAME}"
RIGHT = "right"
NOT_OFFERED = "-"


class NeverBegan(Exception):
    """The program ended or hung before half of the file had been sent."""


class Place:
    """An empty folder and home, and a server, for one program."""

    def __init__(self, tool):
        self.tool = tool
        self.folder = tempfile.TemporaryDirectory(prefix="whirl-compare-")
        self.work = os.path.join(self.folder.name, "work")
        self.home = os.path.join(self.folder.name, "home")
        os.mkdir(self.work)
        os.mkdir(self.home)
        self.origin = Origin()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.origin.close()
        self.folder.cleanup()

    def serve(self, body, path=PATH, **values):
        self.origin.files[path] = Resource(body, **values)
        return self.origin.url(path)

    def start(self, words):
        path = os.pathsep.join(["/usr/local/bin", "/usr/bin", "/bin"])
        return subprocess.Popen(
            words, cwd=self.work, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={"PATH": path, "HOME": self.home, "LC_ALL": "C.UTF-8", "TERM": "dumb"}, start_new_session=True)

    def run(self, wish, urls):
        """The first exit code that is not 0; None when it did not end."""
        for words in self.tool.words(wish, urls):
            code = self.end(self.start(words))
            if code != 0:
                return code
        return 0

    def end(self, process):
        try:
            return process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            return None
        finally:
            stop(process)

    def interrupt_in_the_middle(self, wish, url):
        """Runs it until half of the file has been sent, and presses Ctrl-C. The exit code, as of `end`."""
        file = self.origin.files[PATH]
        self.origin.change(PATH, hold=len(file.body) // 2)
        process = self.start(self.tool.words(wish, [url])[0])
        is_half = self.origin.until(lambda: file.sent >= len(file.body) // 2, PATIENCE)
        # What the server has sent is to have been read and, by programs that do so at once, written.
        time.sleep(0.3)
        if not is_half or process.poll() is not None:
            stop(process)
            raise NeverBegan
        os.killpg(process.pid, signal.SIGINT)
        code = self.end(process)
        self.origin.change(PATH, hold=None)
        return code

    def read(self, name=NAME):
        try:
            with open(os.path.join(self.work, name), "rb") as file:
                return file.read()
        except FileNotFoundError:
            return None

    def contents(self):
        found = []
        for folder, _, names in os.walk(self.work):
            found += [self.read(os.path.join(folder, name)) for name in names]
        return found


def stop(process):
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def told(code):
    if code is None:
        return "does not end"
    return f"signal {-code}" if code < 0 else f"exit {code}"


def changed_file(ranges, has_same_length):
    """Half of a file is fetched, the file changes, the program continues."""

    def trial(place):
        old = noise(SIZE, 1)
        new = noise(SIZE if has_same_length else SIZE + 54_321, 2)
        url = place.serve(old, ranges=ranges)
        place.interrupt_in_the_middle("resume", url)
        place.origin.change(PATH, body=new, tag='"two"', modified=1_700_000_000.0)
        code = place.run("resume", [url])
        got = place.read()
        if code is None:
            return told(code)
        if code != 0:
            return f"{RIGHT}: refuses, {told(code)}"
        if got == new:
            return RIGHT
        if got is None:
            return "no file, exit 0"
        return "old bytes, exit 0" if old.startswith(got) else "mixture, exit 0"

    return trial


def exit_order(place):
    """Three URLs of which one is a 404, in every order."""
    bodies = {f"/order/{name}": noise(50_000, name) for name in ("one", "two")}
    for path, body in bodies.items():
        place.serve(body, path)
    codes, has_all = set(), True
    for order in permutations([*bodies, "/order/missing"]):
        codes.add(place.run("many", [place.origin.url(path) for path in order]))
        for path, body in bodies.items():
            name = path.rsplit("/", 1)[1]
            has_all = has_all and place.read(name) == body
            if os.path.exists(os.path.join(place.work, name)):
                os.remove(os.path.join(place.work, name))
    texts = " or ".join(sorted(told(code) for code in codes))
    if codes & {0, None} or len(codes) > 1:
        return texts
    return f"{RIGHT}, {texts}" if has_all else f"{texts}, leaves files out"


def dropped_with_retry(place):
    """The connection closes at 70 %, once."""
    body = noise(SIZE, 3)
    url = place.serve(body, cut=SIZE * 7 // 10, cuts=1)
    code = place.run("retry", [url])
    if code is None:
        return told(code)
    if place.read() != body:
        return f"incomplete, {told(code)}"
    if code != 0:
        return f"whole, {told(code)}"
    sent = place.origin.files[PATH].sent
    return RIGHT if sent <= SIZE + WINDOW else f"whole, sent {sent / SIZE:.1f} times"


def dropped_without_retry(place):
    """The connection always closes at 70 %."""
    body = noise(SIZE, 4)
    url = place.serve(body, cut=SIZE * 7 // 10, cuts=1_000_000)
    code = place.run("once", [url])
    faults = [] if code else [told(code)]
    if place.origin.files[PATH].sent == 0:
        faults.append(f"never asked, {told(code)}")
    if place.read() is not None:
        faults.append("a part has the name")
    return ", ".join(faults) if faults else RIGHT


def retry_after(place):
    """503 with Retry-After: 2, then 200."""
    body = noise(100_000, 5)
    url = place.serve(body, refusals=["2"])
    code = place.run("wait", [url])
    times = [moment for moment, _, _, _ in place.origin.requests]
    if code != 0:
        return f"gives up, {told(code)}" if code else told(code)
    if place.read() != body:
        return "wrong bytes, exit 0"
    waited = times[1] - times[0] if len(times) > 1 else 0
    return RIGHT if waited >= 1.95 else f"asks again after {waited:.1f} s"


def long_retry_after(place):
    """503 with Retry-After: 86400, for ever."""
    url = place.serve(noise(100_000, 6), refusals=["86400"] * 1000)
    began = time.monotonic()
    code = place.run("wait", [url])
    waited = time.monotonic() - began
    if code is None:
        return f"not within {PATIENCE} s"
    if code == 0:
        return told(code)
    asked = len(place.origin.requests)
    return RIGHT if asked == 1 else f"asks {asked} times in {waited:.0f} s"


def same_name(place):
    """Two URLs whose paths have the same last segment."""
    one, two = noise(70_000, 7), noise(80_000, 8)
    urls = [place.serve(one, f"/one/{NAME}"), place.serve(two, f"/two/{NAME}")]
    code = place.run("distinct", urls)
    found = place.contents()
    if one in found and two in found:
        return f"{RIGHT}: two files" if code == 0 else f"two files, {told(code)}"
    if code:
        return f"{RIGHT}: refuses, {told(code)}"
    return f"one file lost, {told(code)}"


def interrupted(place):
    """Ctrl-C in the middle, then the same again."""
    body = noise(SIZE, 9)
    url = place.serve(body)
    code = place.interrupt_in_the_middle("resume", url)
    faults = []
    if code is None:
        return "does not stop"
    # aria2 has a code of its own for it (7: "unfinished downloads").
    if code not in (-signal.SIGINT, 128 + signal.SIGINT) and (place.tool.name, code) != ("aria2", 7):
        faults.append(told(code))
    if place.read() not in (None, body):
        faults.append("half has the name")
    code = place.run("resume", [url])
    if code != 0 or place.read() != body:
        faults.append(f"then {told(code)}" + (", wrong bytes" if place.read() != body else ""))
    elif place.origin.files[PATH].sent > SIZE + WINDOW:
        faults.append("starts over")
    return ", ".join(faults) if faults else RIGHT


def rerun(place):
    """A set that is there already."""
    urls = [place.serve(noise(200_000 + index, index), f"/set/{index}.bin") for index in range(3)]
    if place.run("again", urls) != 0:
        return "the first run fails"
    first = sum(file.sent for file in place.origin.files.values())
    code = place.run("again", urls)
    moved = sum(file.sent for file in place.origin.files.values()) - first
    faults = [f"{moved} bytes moved"] if moved else []
    if code != 0:
        faults.append(told(code))
    if len(place.contents()) != 3:
        faults.append(f"{len(place.contents())} files")
    return ", ".join(faults) if faults else RIGHT


# What the README shows, row by row, and the wish that a program must have a command for.
TRIALS = [
    ("continued after the file changed, same length", "resume", changed_file("if-range", True)),
    ("… another length", "resume", changed_file("if-range", False)),
    ("… server ignores `If-Range`, same length", "resume", changed_file("ignores-if-range", True)),
    ("… server ignores `If-Range`, another length", "resume", changed_file("ignores-if-range", False)),
    ("… server has no ranges", "resume", changed_file("none", False)),
    ("three URLs, one of them 404: exit code in every order", "many", exit_order),
    ("connection dropped at 70 %, with retries", "retry", dropped_with_retry),
    ("connection dropped at 70 %, without", "once", dropped_without_retry),
    ("503 with `Retry-After: 2`", "wait", retry_after),
    ("503 with `Retry-After: 86400`", "wait", long_retry_after),
    ("two URLs with the same last segment", "distinct", same_name),
    ("Ctrl-C in the middle, then once more", "resume", interrupted),
    ("once more when all is there", "again", rerun),
]


def judge(tool, wish, trial):
    """What is in the table for that program."""
    if wish not in tool.commands:
        return NOT_OFFERED
    with Place(tool) as place:
        try:
            return trial(place)
        except NeverBegan:
            return "never began"
