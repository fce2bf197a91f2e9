"""What is fetched, by whom, and what the result should be."""

import os
from dataclasses import dataclass, field


@dataclass
class Target:
    """`value(medians)` says how it went, and `holds` whether that is good enough."""

    text: str
    value: object
    limit: float
    isAtMost: bool

    def holds(self, value):
        return value <= self.limit if self.isAtMost else value >= self.limit


@dataclass
class Case:
    name: str
    title: str
    tools: dict
    """The command of each, from (machine, directory)."""
    folder: str = ""
    """What is served, and must be there with the same bytes afterwards; empty: nothing is checked."""
    names: list = field(default_factory=list)
    onDisk: bool = False
    terminal: set = field(default_factory=set)
    """Who runs on a terminal."""
    output: set = field(default_factory=set)
    """Whose output goes to a file in memory."""
    targets: list = field(default_factory=list)
    times: int = 1
    """How many rounds for one of the others: what takes milliseconds is measured often."""


def faster(other, limit):
    """So many times the whirl's wall time."""
    return Target(
        f"{other} ≥ {limit:g} x", lambda medians: medians[other]["wall"] / medians["whirl"]["wall"], limit, False)


def atMost(other, limit, what="wall", who="whirl"):
    return Target(
        f"{'' if who == 'whirl' else who + ' '}≤ {limit:g} x {other}{'' if what == 'wall' else ' in ' + what}",
        lambda medians: medians[who][what] / medians[other][what], limit, True)


def memory(limit, who="whirl"):
    return Target(
        f"{'' if who == 'whirl' else who + ' '}under {limit:g} MB", lambda medians: medians[who]["peak"] / 1e6, limit,
        True)


def cases(machine, isQuick):
    small, tiny, big, hundred = (2_000, 20_000, 256 << 20, 20) if isQuick else (10_000, 100_000, 1 << 30, 100)
    machine.serve("small", [f"f{number}" for number in range(small)], 4096)
    machine.serve("big", ["big.bin"], big)
    machine.serve("hundred", [f"h{number}.bin" for number in range(hundred)], 10_000_000)
    names = {folder: [name for at, name in machine.digests if at == folder] for folder in ("small", "big", "hundred")}
    return [
        startUp(), oneSmall(names), manySmall(names), secure(names, "1.1"), secure(names, "2"), oneBig(names),
        durable(names), manyBig(names), queue(machine, tiny), digest(machine, names), stream(names, "small"),
        stream(names, "hundred"), screen(names), foundation(names, "big"), foundation(names, "small"),
    ]


# Lists and commands


def lists(machine, folder, names, base, directory):
    """The same list in memory, plain and for curl; both paths."""
    plain = os.path.join(machine.memory, f"list-{folder}")
    config = plain + ".curl"
    with open(plain, "w", encoding="utf-8") as file:
        file.writelines(f"{base}/{name}\n" for name in names)
    with open(config, "w", encoding="utf-8") as file:
        file.writelines(f'url="{base}/{name}"\noutput="{directory}/{name}"\n' for name in names)
    return plain, config


def whirl(machine, *words, transport="curl", frontend="log"):
    return [machine.whirl, "-t", transport, "-f", frontend, *words]


def curl(*words):
    return ["curl", "--silent", "--show-error", "--fail", *words]


def wget2(*words):
    return ["wget2", "--quiet", "--no-robots", *words]


def aria2(*words):
    return ["aria2c", "--quiet", "--file-allocation=none", "--no-conf", *words]


def fetchMany(machine, folder, names, jobs, directory, base=None, security=(), whirlWords=(), transport="curl"):
    base = base or f"http://127.0.0.1:{machine.plain}/{folder}"
    plain, config = lists(machine, folder, names, base, directory)
    certificate = {tool: [] for tool in ("whirl", "curl", "wget2", "aria2c")}
    if base.startswith("https"):
        certificate = {
            "whirl": ["--cacert", machine.bundle], "curl": ["--cacert", machine.bundle],
            "wget2": ["--ca-certificate", machine.bundle], "aria2c": [f"--ca-certificate={machine.bundle}"],
        }
    return {
        "whirl": whirl(machine, "-j", str(jobs), "-d", directory, "-i", plain, *certificate["whirl"], *whirlWords,
                       transport=transport),
        "curl": curl("--parallel", "--parallel-max", str(jobs), "-K", config, *certificate["curl"], *security),
        "wget2": wget2(f"--max-threads={jobs}", "-P", directory, "-i", plain, *certificate["wget2"]),
        "aria2c": aria2(f"-j{jobs}", "-x1", "-d", directory, "-i", plain, *certificate["aria2c"]),
    }


def of(tools, *names):
    """A command of each of those tools, from what gives the commands of all."""
    return {name: (lambda machine, directory, name=name: tools(machine, directory)[name]) for name in names}


# The cases


def startUp():
    return Case(
        "start", "`--version`",
        {"whirl": lambda machine, directory: [machine.whirl, "--version"],
         "curl": lambda machine, directory: ["curl", "--version"]},
        targets=[atMost("curl", 1.3)], times=10)


def oneSmall(names):
    def tools(machine, directory):
        url = f"http://127.0.0.1:{machine.plain}/small/f0"
        return {
            "whirl": whirl(machine, "-d", directory, url), "curl": curl("-o", f"{directory}/f0", url),
            "wget2": wget2("-P", directory, url), "aria2c": aria2("-d", directory, url),
        }

    return Case(
        "one-small", "one file of 4 KiB", of(tools, "whirl", "curl", "wget2", "aria2c"), "small", ["f0"],
        targets=[atMost("curl", 1.5)], times=5)


def manySmall(names):
    def tools(machine, directory):
        many = fetchMany(machine, "small", names["small"], 50, directory)
        for name, word in (("floor", "many"), ("safe floor", "safe")):
            many[name] = [
                machine.floor, word, str(machine.plain), "/small", str(len(names["small"])), "50", directory]
        return many

    return Case(
        "small", f"{len(names['small']):,} x 4 KiB, 50 at once, in memory",
        of(tools, "whirl", "curl", "wget2", "aria2c", "floor", "safe floor"), "small", names["small"],
        targets=[faster("curl", 1.5), faster("wget2", 2), faster("aria2c", 4), atMost("floor", 2)])


def secure(names, version):
    def tools(machine, directory):
        security = ["--http1.1" if version == "1.1" else "--http2"]
        words = ["--http1.1"] if version == "1.1" else []
        base = f"https://127.0.0.1:{machine.secure}/small"
        return fetchMany(machine, "small", names["small"], 50, directory, base, security, words)

    return Case(
        f"tls-http{version[0]}", f"the same over TLS and HTTP/{version}", of(tools, "whirl", "curl"), "small",
        names["small"], targets=[faster("curl", 3 if version == "1.1" else 1.3)])


def big(machine, directory, *words, transport="curl"):
    url = f"http://127.0.0.1:{machine.plain}/big/big.bin"
    path = f"{directory}/big.bin"
    return {
        "whirl": whirl(machine, "-d", directory, url, *words, transport=transport), "curl": curl("-o", path, url),
        "curl, sync": ["bash", "-c", 'curl -sSf -o "$0" "$1" && sync "$0"', path, url],
        "wget2": wget2("-P", directory, url), "aria2c": aria2("-x5", "-s5", "-d", directory, url),
        "floor": [machine.floor, "one", str(machine.plain), "/big/big.bin", path],
    }


def oneBig(names):
    def tools(machine, directory):
        return big(machine, directory, "--durability", "none")

    return Case(
        "big", "one big file to the disk, `--durability none`", of(tools, "whirl", "curl", "wget2", "aria2c", "floor"),
        "big", names["big"], onDisk=True,
        targets=[
            faster("curl", 2), faster("aria2c", 3), faster("wget2", 1.2), atMost("floor", 1),
            Target("curl ≥ 2.5 x in CPU", lambda medians: medians["curl"]["cpu"] / medians["whirl"]["cpu"], 2.5, False),
        ])


def durable(names):
    return Case(
        "durable", "the same, synced", of(big, "whirl", "curl, sync"), "big", names["big"], onDisk=True,
        targets=[faster("curl, sync", 2)])


def manyBig(names):
    def tools(machine, directory):
        return fetchMany(
            machine, "hundred", names["hundred"], 50, directory, whirlWords=["--durability", "none"])

    return Case(
        "hundred", f"{len(names['hundred'])} x 10 MB to the disk, 50 at once",
        of(tools, "whirl", "curl", "wget2", "aria2c"), "hundred", names["hundred"], onDisk=True,
        targets=[faster("curl", 1.8), faster("wget2", 1.4), faster("aria2c", 3), memory(45)])


def queue(machine, count):
    names = [f"number-{number}" for number in range(count)]

    def tools(machine, directory):
        return fetchMany(machine, "tiny", names, 50, directory)

    return Case(
        "queue", f"{count:,} URLs of 13 bytes", of(tools, "whirl", "curl"), targets=[faster("curl", 1.9), memory(60)])


def digest(machine, names):
    def tools(machine, directory):
        url = f"http://127.0.0.1:{machine.plain}/big/big.bin"
        checksum = f"sha256:{machine.digests[('big', 'big.bin')]}"
        plain = whirl(machine, "-d", directory, url, "--durability", "none")
        return {
            "whirl": [*plain, "--checksum", checksum], "without": plain,
            "sha256sum": ["sha256sum", f"{machine.memory}/www/big/big.bin"],
        }

    return Case(
        "digest", "one big file in memory, SHA-256", of(tools, "whirl", "without", "sha256sum"),
        targets=[Target(
            "CPU ≤ without + 1.1 x sha256sum",
            lambda medians: (medians["whirl"]["cpu"] - medians["without"]["cpu"]) / medians["sha256sum"]["cpu"], 1.1,
            True)])


def stream(names, folder):
    count = len(names[folder])

    def tools(machine, directory):
        words = ["-j", "50", "--durability", "none", "-d", directory, "-i",
                 lists(machine, folder, names[folder], f"http://127.0.0.1:{machine.plain}/{folder}", directory)[0]]
        return {
            "whirl": whirl(machine, *words, frontend="jsonl"), "none": whirl(machine, *words, frontend="none"),
        }

    def cost(medians):
        return (medians["whirl"]["cpu"] - medians["none"]["cpu"]) * 1e6 / count

    def share(medians):
        return (medians["whirl"]["cpu"] / medians["none"]["cpu"] - 1) * 100

    target = (
        Target("≤ 8 µs a file over `none`", cost, 8, True) if folder == "small"
        else Target("≤ 10 % CPU over `none`", share, 10, True))
    return Case(
        f"jsonl-{folder}", f"`jsonl` to a file, {count:,} files", of(tools, "whirl", "none"), folder, names[folder],
        output={"whirl"}, targets=[target])


def screen(names):
    def tools(machine, directory):
        words = ["-j", "50", "--durability", "none", "-d", directory, "-i",
                 lists(machine, "small", names["small"], f"http://127.0.0.1:{machine.plain}/small", directory)[0]]
        return {
            "whirl": whirl(machine, *words, frontend="ncurses"), "none": whirl(machine, *words, frontend="none"),
        }

    def share(what):
        return lambda medians: (medians["whirl"][what] / medians["none"][what] - 1) * 100

    return Case(
        "ncurses", f"`ncurses` on a terminal, {len(names['small']):,} files", of(tools, "whirl", "none"), "small",
        names["small"], terminal={"whirl", "none"},
        targets=[Target("≤ 5 % wall over `none`", share("wall"), 5, True),
                 Target("≤ 10 % CPU over `none`", share("cpu"), 10, True)])


def foundation(names, folder):
    def tools(machine, directory):
        if folder == "big":
            return big(machine, directory, "--durability", "none", transport="urlsession")
        return fetchMany(machine, "small", names["small"], 50, directory, transport="urlsession")

    targets = [atMost("curl", 2.3)] if folder == "big" else []
    title = "one big file" if folder == "big" else f"{len(names['small']):,} x 4 KiB"
    return Case(
        f"urlsession-{folder}", f"`-t urlsession`, {title}", of(tools, "whirl", "curl"), folder, names[folder],
        onDisk=folder == "big", targets=[*targets, memory(64)])
