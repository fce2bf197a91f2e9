#!/usr/bin/env python3
"""Any program that writes whirl/1 gets whirl's dashboard:  ./produce.py | whirl replay -  (20 lines, nothing but Python)"""
import json, sys, time, datetime

seq, began = 0, time.monotonic()

def tell(kind, **members):
    global seq
    now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    record = {"type": kind, "seq": seq, "time": now, "elapsed": round(time.monotonic() - began, 6), **members}
    print(json.dumps(record), flush=True)
    seq += 1

names, size, pause = ["a.bin", "b.bin", "c.bin"], 1_000_000, float(sys.argv[1]) if len(sys.argv) > 1 else 0.1
tell("run", schema="whirl/1", version="1.0", transport="python", jobs=len(names))
for task, name in enumerate(names, 1):
    tell("created", task=task, url=f"https://example.org/{name}", destination=name, key=name)
    tell("resumed", task=task)
    tell("attempt", task=task, attempt=1, offset=0)
for step in range(1, 11):
    for task in range(1, 4):
        tell("progress", task=task, attempt=1, phase="receiving", received=size * step // 10, total=size, rate=None)
    time.sleep(pause)
for task in (1, 2):
    tell("completed", task=task, received=size)
tell("failed", task=3, error={"code": "http", "status": 503, "retryable": True, "message": "the server is busy"})
tell("end", completed=2, failed=1, cancelled=0, skipped=0, bytes=3 * size, wasted=0, exit=1)
