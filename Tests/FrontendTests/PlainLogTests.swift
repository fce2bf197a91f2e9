import Glibc
import Testing
import WhirlBoard
import WhirlCore

@testable import WhirlPlainLog

@Suite(.timeLimit(.minutes(1))) struct PlainLogTests {
    private func run(_ configuration: PlainLog.Configuration, _ play: (Stage) -> Void) throws {
        let clock = StageClock()
        let log = try PlainLog(configuration, clock: { clock.now })
        try log.open { _ in }
        let stage = Stage(log, clock: clock)
        stage.begin()
        play(stage)
        stage.end()
        #expect(log.close() == nil)
    }

    private func configuration(_ file: TestFile) -> PlainLog.Configuration {
        var configuration = PlainLog.Configuration()
        configuration.descriptor = file.descriptor
        return configuration
    }

    @Test("The log is whole lines with the time first, then the summary; no CR, no ESC")
    func lines() throws {
        let file = TestFile()
        var ids: [UInt64] = []
        try run(configuration(file)) { stage in
            let task = stage.start("a.iso")
            task.core.report(received: 2048, total: 2048)
            stage.clock.advance(2)
            task.complete()
            let other = stage.start("b\r\u{1B}[31m")
            other.fail()
            ids = [task.life.id.number, other.life.id.number]
        }
        let expected = [
            "2026-11-30T01:44:57Z  INFO  start  #\(ids[0]) a.iso url=https://example.org/a.iso",
            "2026-11-30T01:44:59Z  INFO  done   #\(ids[0]) a.iso 2.0KiB 1.0KiB/s 2.0s",
            "2026-11-30T01:44:59Z  INFO  start  #\(ids[1]) b^M^[[31m url=https://example.org/a.iso",
            "2026-11-30T01:44:59Z  ERROR failed #\(ids[1]) b^M^[[31m cause=\"404 Not Found\" url=https://example.org/a.iso",
            "whirl: 1 done, 1 failed, 0 cancelled · 0 B in 2.0s (0 B/s)",
        ]
        #expect(file.lines.prefix(5) == expected[...])
        #expect(file.lines.last?.hasPrefix("  FAILED  b^M^[[31m ") == true)
        #expect(!file.bytes.contains(13))
        #expect(!file.bytes.contains(27))
        #expect(file.bytes.last == 10)
    }

    @Test("Quiet writes no byte on success, and the failures otherwise")
    func quiet() throws {
        let file = TestFile()
        var quiet = configuration(file)
        quiet.isQuiet = true
        try run(quiet) { $0.start().complete() }
        #expect(file.bytes == [])
        try run(quiet) { $0.start().fail() }
        #expect(file.lines.count == 1)
        #expect(file.text.contains("404 Not Found"))
    }

    @Test(
        "A stream that can't be written turns the log off, and nothing else",
        arguments: ["/dev/full", "gone", "closed"])
    func trouble(_ kind: String) throws {
        let pipe = TestPipe()
        var broken = PlainLog.Configuration()
        switch kind {
        case "/dev/full": broken.descriptor = unsafe open("/dev/full", O_WRONLY)
        case "gone":
            pipe.closeReader()
            broken.descriptor = dup(pipe.writer)
        default: broken.descriptor = 100_000
        }
        try run(broken) { stage in
            for _ in 0..<30 { stage.start().fail() }
        }
        close(broken.descriptor)
        pipe.closeWriter()
        if kind != "gone" { pipe.closeReader() }
    }

    @Test("A log in a file is appended to, and has times as asked for")
    func file() throws {
        let path = "/tmp/whirl-log-\(getpid())-\(monotonicNanoseconds())"
        defer { unsafe unlink(path) }
        for time in ["relative", "utc"] {
            let settings = ["log-file": path, "log-time": time, "quiet": "true", "color": "auto"]
            try run(try PlainLog.Configuration(PluginContext(settings: settings))) { stage in
                stage.clock.advance(77.25)
                stage.start().complete()
            }
        }
        let descriptor = unsafe open(path, O_RDONLY)
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe read(descriptor, &bytes, bytes.count)
        let text = String(decoding: bytes[..<max(0, count)], as: UTF8.self)
        let starts = text.split(separator: "\n").filter { $0.contains("  start  ") }
        #expect(starts.count == 2 && text.split(separator: "\n").count { $0.hasPrefix("whirl: 1 done") } == 2)
        #expect(starts.first?.hasPrefix("+77.3s  INFO  start  #") == true)
        #expect(starts.last?.hasPrefix("2026-11-30T01:46:14Z  INFO  start  #") == true)
    }

    @Test("A log file that can't be opened is a usage error, a FIFO that nobody reads too")
    func noFile() throws {
        for path in ["/nowhere/log", "/tmp/whirl-fifo-\(getpid())-\(monotonicNanoseconds())"] {
            if path.hasPrefix("/tmp") { _ = unsafe mkfifo(path, 0o600) }
            defer { unsafe unlink(path) }
            let error = #expect(throws: TransferError.self) {
                try PlainLog.plugin.make(PluginContext(settings: ["log-file": path]))
            }
            #expect(error?.code == .usage && error?.message.hasPrefix(path) == true)
        }
    }

    @Test("A log file on a full disk is told at the end, and the standard error never")
    func full() throws {
        for (path, trouble) in [
            ("/dev/full", FrontendTrouble.notLogged("the log can't be written to /dev/full: No space left on device")),
            (nil, nil),
        ] {
            var configuration = PlainLog.Configuration()
            configuration.path = path
            if path == nil { configuration.descriptor = unsafe open("/dev/full", O_WRONLY) }
            let log = try PlainLog(configuration)
            try log.open { _ in }
            let stage = Stage(log)
            stage.begin()
            stage.start().fail()
            stage.end()
            #expect(log.close() == trouble)
            if path == nil { close(configuration.descriptor) }
        }
    }

    @Test("A log that was never opened can be closed")
    func unopened() throws {
        #expect(try PlainLog().close() == nil)
    }

    @Test("The plugin reads its keys, and names the words for color")
    func plugin() throws {
        #expect(PlainLog.plugin.name == "log")
        let settings = ["color": "always", "verbose": "true", "quiet": "false"]
        let configuration = try PlainLog.Configuration(
            PluginContext(settings: settings, environment: ["LANG": "C.UTF-8"]))
        #expect(configuration.isColored)
        #expect(configuration.isVerbose)
        #expect(!configuration.isQuiet)
        #expect(!configuration.isASCII)
        #expect(try PlainLog.Configuration(PluginContext(environment: ["LANG": "C.UTF-8", "CI": "1"])).isASCII)
        let error = #expect(throws: TransferError.self) {
            try PlainLog.plugin.make(PluginContext(settings: ["color": "blue"]))
        }
        #expect(error == TransferError(.usage, "color is auto, always or never, not blue"))
    }
}
