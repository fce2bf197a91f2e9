"""The programs that Tools/compare looks at, and how each is asked for a thing.

For each wish stands the command that the program's own manual recommends for exactly that wish; a wish that it has no
command for is left out. URLS in a command stands for all URLs; a command without is run once for each URL, of which
NAME is the last segment, HOST what comes before the path, and PATH the path. Everything runs in an empty folder, with an
empty home.

resume    continue what an earlier run left behind
retry     go on after a dropped connection
once      no retry, and nothing under the final name when it fails
wait      do as Retry-After says, but not for a day
many      several URLs, with an exit code that tells when one failed
distinct  several URLs, of which some have the same last segment
again     several URLs, of which some are here already
"""

import re
import subprocess
from dataclasses import dataclass


@dataclass
class Tool:
    name: str
    program: str
    package: str
    commands: dict
    version: tuple = ("--version",)

    def words(self, wish, urls):
        """The command lines, to be run in this order."""
        template = self.commands[wish]
        if any("URLS" in word for word in template):
            return [fill(template, urls)]
        return [fill(template, [url]) for url in urls]

    def version_text(self):
        words = [self.program, *self.version]
        text = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False).stdout
        found = re.search(r"\d+(\.\d+)+", text)
        return found[0] if found else "?"


def fill(template, urls):
    scheme, host, path = re.fullmatch(r"(\w+://)([^/]+)/(.*)", urls[0]).groups()
    values = {"URLS": " ".join(urls), "URL": urls[0], "NAME": path.rsplit("/", 1)[-1], "HOST": scheme + host, "PATH": path}
    filled = []
    for word in template:
        if word == "URLS":
            filled += urls
        else:
            filled.append(re.sub(r"\b(URLS|URL|NAME|HOST|PATH)\b", lambda found: values[found[0]], word))
    return filled


def lftp(settings, command):
    """lftp takes one text of commands."""
    return ["lftp", "-c", f"{settings} {command}"]


def whirl(path, transport):
    """The defaults are meant to do: only `once` takes an option."""
    many = [path, "-f", "none", "-t", transport]
    one = [*many, "-o", "NAME"]
    return Tool(f"whirl ({transport})", path, "", {
        "resume": [*one, "URL"],
        "retry": [*one, "URL"],
        "once": [*one, "--retries", "0", "URL"],
        "wait": [*one, "URL"],
        "many": [*many, "URLS"],
        "distinct": [*many, "URLS"],
        "again": [*many, "URLS"],
    })


CURL = ["curl", "-fsS"]
WGET = ["wget", "-q"]
WGET2 = ["wget2", "-q"]
ARIA2 = ["aria2c", "-q"]
AXEL = ["axel", "-q"]
HTTPIE = ["http", "--ignore-stdin", "--check-status", "-q", "--download"]
RCLONE = ["rclone", "copyto", "--http-url", "HOST"]

PEERS = [
    Tool("curl", "curl", "curl", {
        "resume": [*CURL, "-C", "-", "-o", "NAME", "URL"],
        # --retry alone does not retry a connection that was dropped in mid-body.
        "retry": [*CURL, "-C", "-", "--retry", "3", "--retry-all-errors", "-o", "NAME", "URL"],
        # "removes that saved file before exiting. This prevents curl from leaving a partial file"
        "once": [*CURL, "--remove-on-error", "-o", "NAME", "URL"],
        "wait": [*CURL, "--retry", "3", "--retry-max-time", "20", "-o", "NAME", "URL"],
        # "By default, it will ignore errors if there are more URLs given": --fail-early tells of them, and stops there.
        "many": [*CURL, "--fail-early", "--remote-name-all", "URLS"],
        # "avoids overwriting files that already exist. Instead, a dot and a number gets appended"
        "distinct": [*CURL, "--no-clobber", "--remote-name-all", "URLS"],
        # -C - would do for files that are not whole, but exits 22 for those that are.
        "again": [*CURL, "-R", "-z", "NAME", "-o", "NAME", "URL"],
    }),
    Tool("wget", "wget", "wget", {
        "resume": [*WGET, "-c", "URL"],
        "retry": [*WGET, "-c", "--tries=4", "--waitretry=1", "URL"],
        "once": [*WGET, "--tries=1", "URL"],
        # 503 is final unless it is named.
        "wait": [*WGET, "--tries=4", "--waitretry=1", "--retry-on-http-error=503", "URL"],
        "many": [*WGET, "URLS"],
        "distinct": [*WGET, "URLS"],
        # "subsequent downloads of the same file will be prevented"
        "again": [*WGET, "-nc", "URLS"],
    }),
    Tool("wget2", "wget2", "wget2", {
        "resume": [*WGET2, "-c", "URL"],
        "retry": [*WGET2, "-c", "--tries=4", "--waitretry=1", "URL"],
        "once": [*WGET2, "--tries=1", "URL"],
        "wait": [*WGET2, "--tries=4", "--waitretry=1", "URL"],
        "many": [*WGET2, "URLS"],
        "distinct": [*WGET2, "URLS"],
        "again": [*WGET2, "-c", "URLS"],
    }),
    Tool("aria2", "aria2c", "aria2", {
        "resume": [*ARIA2, "-c", "-o", "NAME", "URL"],
        "retry": [*ARIA2, "-c", "--max-tries=4", "--retry-wait=1", "-o", "NAME", "URL"],
        "once": [*ARIA2, "--max-tries=1", "-o", "NAME", "URL"],
        # "When SEC > 0, aria2 will retry downloads when the HTTP server returns a 503 response."
        "wait": [*ARIA2, "--max-tries=4", "--retry-wait=1", "-o", "NAME", "URL"],
        # Without -Z all URLs are taken for mirrors of one file.
        "many": [*ARIA2, "-Z", "URLS"],
        "distinct": [*ARIA2, "-Z", "URLS"],
        "again": [*ARIA2, "-c", "-Z", "--use-head=true", "URLS"],
    }),
    # Several URLs are mirrors of one file; it continues by itself, from a state file.
    Tool("axel", "axel", "axel", {
        "resume": [*AXEL, "-o", "NAME", "URL"],
        "retry": [*AXEL, "-o", "NAME", "URL"],
        "once": [*AXEL, "-T", "5", "-o", "NAME", "URL"],
        "wait": [*AXEL, "-o", "NAME", "URL"],
        "distinct": [*AXEL, "URL"],
        "again": [*AXEL, "-c", "-o", "NAME", "URL"],
    }),
    # One URL a run, no retries.
    Tool("HTTPie", "http", "httpie", {
        "resume": [*HTTPIE, "--continue", "--output", "NAME", "URL"],
        "once": [*HTTPIE, "--output", "NAME", "URL"],
        "distinct": [*HTTPIE, "URL"],
        "again": [*HTTPIE, "--continue", "--output", "NAME", "URL"],
    }),
    Tool("lftp", "lftp", "lftp", {
        "resume": lftp("set net:max-retries 4; set net:reconnect-interval-base 1;", "get -c URL -o NAME"),
        "retry": lftp("set net:max-retries 4; set net:reconnect-interval-base 1;", "get -c URL -o NAME"),
        "once": lftp("set net:max-retries 1;", "get URL -o NAME"),
        "wait": lftp("set net:max-retries 4; set net:reconnect-interval-base 1;", "get URL -o NAME"),
        "many": lftp("set net:max-retries 1;", "get URLS"),
        "distinct": lftp("set net:max-retries 1;", "get URLS"),
        "again": lftp("set net:max-retries 1;", "get -c URLS"),
    }),
    # A server of files is a remote; it can't continue. --retries is for a run, --low-level-retries for a request.
    Tool("rclone", "rclone", "rclone", {
        "resume": [*RCLONE, ":http:PATH", "NAME"],
        "retry": [*RCLONE, "--retries", "4", ":http:PATH", "NAME"],
        "once": [*RCLONE, "--retries", "1", "--low-level-retries", "1", ":http:PATH", "NAME"],
        "wait": [*RCLONE, "--retries", "4", "--retries-sleep", "1s", ":http:PATH", "NAME"],
        # "Setting --no-clobber will prevent overwriting file on the destination if there is one with the same name."
        "distinct": ["rclone", "copyurl", "--no-clobber", "-a", "URL", "."],
        "again": [*RCLONE, ":http:PATH", "NAME"],
    }, ("version",)),
]
