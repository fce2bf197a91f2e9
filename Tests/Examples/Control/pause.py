#!/usr/bin/env python3
"""Pauses every transfer of a run once bytes move, and lets them go on at Return.

  whirl --control unix:run.socket URL... &
  pause.py run.socket
"""
import json
import socket
import sys

with socket.socket(socket.AF_UNIX) as run:
    run.connect(sys.argv[1])
    stream = map(json.loads, run.makefile(encoding="utf-8"))

    def ask(number, **command):
        """Sends a command and waits for its answer; what else the stream tells meanwhile is passed over."""
        run.sendall(json.dumps({"id": number, **command}).encode() + b"\n")
        answer = next(record for record in stream if record["type"] in ("ack", "rejected"))
        if answer["type"] == "rejected":
            sys.exit(answer["error"]["message"])

    next(record for record in stream if record["type"] == "progress" and record["received"] > 0)
    ask(1, command="suspend", task="all")
    print("paused", flush=True)
    sys.stdin.readline()
    ask(2, command="resume", task="all")
    print("resumed", flush=True)
    sys.exit(next(record for record in stream if record["type"] == "end")["exit"])
