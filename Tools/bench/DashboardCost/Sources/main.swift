// Shows many tasks on this terminal and writes what that cost to a file:
//
//   dashboard-cost TASKS RUNNING SECONDS FILE
//
// RUNNING tasks at a time get bytes twenty times a second. With 0, nothing moves.

import Glibc
import WhirlCore
import WhirlNCurses

func environment(_ name: String) -> [String: String] {
    guard let value = getenv(name) else { return [:] }
    return [name: String(cString: value)]
}

/// What this process has used so far.
func used() -> rusage {
    var usage = rusage()
    getrusage(0, &usage)  // RUSAGE_SELF, which Swift imports as another type
    return usage
}

/// Seconds that it has computed.
func computed() -> Double {
    let usage = used()
    let (user, system) = (usage.ru_utime, usage.ru_stime)
    return Double(user.tv_sec + system.tv_sec) + Double(user.tv_usec + system.tv_usec) / 1e6
}

let words = CommandLine.arguments
guard words.count == 5, let count = Int(words[1]), let running = Int(words[2]), let seconds = Int(words[3]) else {
    fatalError("usage: dashboard-cost TASKS RUNNING SECONDS FILE")
}
let dashboard = try Dashboard(DashboardSettings(environment: environment("TERM")))
try dashboard.open { _ in }
dashboard.tell(.run(RunDescription(version: "0", transport: "none", jobs: running)))
let jobs = (0..<count).map { Job($0, on: dashboard) }
for job in jobs.prefix(running) { job.begin() }
var active = Array(jobs.prefix(running))
var next = running
sleep(1)  // the first frames cost more
let before = computed()
for _ in 0..<(seconds * 20) {
    usleep(50_000)
    for (place, job) in active.enumerated() where job.advance(by: 50_000 + Int64(place) * 3000) {
        guard next < count else { continue }
        active[place] = jobs[next]
        jobs[next].begin()
        next += 1
    }
}
let share = (computed() - before) / Double(seconds)
let file = fopen(words[4], "w")
fputs("\(share) \(used().ru_maxrss)\n", file)
fclose(file)
_ = dashboard.close()
