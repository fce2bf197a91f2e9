import Glibc
import WhirlConformance
import WhirlCore
import WhirlJSONLines
import WhirlLoopback
import WhirlPlainLog

#if NCurses
import WhirlBoard
import WhirlNCurses
#endif

/// The frontends of this build.
let frontends = [log, jsonLines] + dashboards

#if NCurses
private let dashboards = [dashboard]
#else
private let dashboards: [FrontendSubject] = []
#endif

private let log = FrontendSubject(
    "log",
    count: { output, name, hasFailed in
        output.split(separator: "\n").count {
            $0.contains(" \(name) ") && $0.contains(hasFailed ? " ERROR failed " : " INFO  done ")
        }
    },
    make: { sink in
        try show(sink) { descriptor in
            var configuration = PlainLog.Configuration()
            configuration.descriptor = descriptor
            configuration.isVerbose = true
            return try PlainLog(configuration)
        }
    })

private let jsonLines = FrontendSubject(
    "jsonl",
    count: { output, name, hasFailed in
        let lines = output.split(separator: "\n")
        let words = lines.first { $0.contains("\"created\"") && $0.contains("/\(name)\"") }
        guard let task = words?.firstMatch(of: /"task":([0-9]+)/)?.1 else { return 0 }
        let type = hasFailed ? "failed" : "completed"
        return lines.count { $0.contains("\"type\":\"\(type)\"") && $0.contains("\"task\":\(task),") }
    },
    make: { sink in
        try show(sink) { descriptor in
            var configuration = JSONLines.Configuration()
            configuration.output = .descriptor(descriptor)
            return try JSONLines(configuration)
        }
    })

/// A frontend that writes to a descriptor, with a sink of that kind.
private func show(
    _ sink: FrontendSubject.Sink, _ make: (Int32) throws -> any Frontend
) throws -> FrontendSubject.Show {
    guard sink != .works else {
        let folder = try TemporaryFolder()
        let file = unsafe open(folder.path + "/out", O_WRONLY | O_CREAT, 0o600)
        return FrontendSubject.Show(try make(file), output: { folder.read("out") ?? [] })
    }
    guard sink == .stalls else {
        return FrontendSubject.Show(try make(unsafe open("/dev/full", O_WRONLY | O_CLOEXEC)))
    }
    var ends: [Int32] = [-1, -1]
    unsafe pipe(&ends)
    let (reader, writer) = (ends[0], ends[1])
    // Full, so that the first line waits already.
    _ = fcntl(writer, F_SETFL, O_NONBLOCK)
    while unsafe write(writer, "\n", 1) == 1 {}
    _ = fcntl(writer, F_SETFL, 0)
    return FrontendSubject.Show(try make(writer), release: { close(reader) })
}

#if NCurses
private let dashboard = FrontendSubject(
    "ncurses",
    count: { output, name, hasFailed in
        // The screen is drawn piece by piece; what stays on the terminal is the summary: failures by name, else a number.
        guard hasFailed else { return output.ranges(of: "whirl: ").count }
        return output.split(whereSeparator: \.isNewline).count { $0.contains("FAILED  \(name) ") }
    },
    make: { sink in
        let terminal = PseudoTerminal()
        var settings = DashboardSettings(environment: [:])
        settings.path = terminal.path
        settings.type = "xterm-256color"
        settings.standardError = sink == .works ? terminal.opened() : -1
        return FrontendSubject.Show(
            try Dashboard(settings),
            begin: {
                switch sink {
                case .works: break
                case .fails: terminal.hangUp()
                case .stalls: terminal.stops(true)
                }
            },
            output: { terminal.output }, release: { terminal.stops(false) })
    })
#endif
