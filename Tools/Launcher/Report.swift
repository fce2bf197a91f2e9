import Glibc
import Synchronization
import WhirlBoard
import WhirlCore
import WhirlJSONLines

/// `whirl report`: what recorded streams come to.
struct Report {
    private enum Kind {
        case summary, har, metrics
    }
    /// So many bytes are written at once.
    private static let batch = 1 << 16
    private let sources: [StreamSource]
    private let waker: Waker

    /// Writes what the settings ask for to the standard output.
    static func run(
        _ paths: [String], _ settings: Settings, environment: [String: String]
    ) throws(CommandError) -> Run.Ending {
        let kind = try kind(settings)
        let report = try Report(paths)
        switch kind {
        case .summary: try report.summary(isASCII: !WhirlBoard.Environment.isUTF8(environment))
        case .har: try report.har()
        case .metrics: try report.metrics()
        }
        return Run.Ending(exit: 0)
    }

    private static func kind(_ settings: Settings) throws(CommandError) -> Kind {
        let kinds: [(name: OptionName, kind: Kind)] = [(.summary, .summary), (.har, .har), (.metrics, .metrics)]
        let wishes = kinds.filter { settings.isOn($0.name) }
        guard wishes.count > 1 else { return wishes.first?.kind ?? .summary }
        throw CommandError("\(wishes[0].name.flag) and \(wishes[1].name.flag) contradict each other; leave one out")
    }

    private init(_ paths: [String]) throws(CommandError) {
        var sources: [StreamSource] = []
        for path in paths { sources.append(try StreamSource(path)) }
        self.sources = sources
        do {
            waker = try Waker()
        } catch {
            throw CommandError(ExitStatus.sentence(error), exit: ExitStatus.of(error))
        }
    }

    // MARK: kinds

    private func summary(isASCII: Bool) throws(CommandError) {
        let board = Board { 0 }
        var playback = Playback(follow: { _ in }, receive: { board.receive($0) })
        var spans = RunSpans()
        for source in sources {
            try read(source, &playback) { spans.note($0) }
        }
        playback.finish(elapsed: spans.seconds, exit: 0)
        try write(Array(board.summary(isASCII: isASCII).utf8))
    }

    private func har() throws(CommandError) {
        let report = Mutex(HARReport(version: Launcher.version))
        for source in sources {
            report.withLock { $0.begin(source.name) }
            var playback = Playback(follow: { _ in }, receive: { record in report.withLock { $0.take(record) } })
            try read(source, &playback) { _ throws(CommandError) in
                let bytes = report.withLock { $0.size < Self.batch ? [] : $0.takeBytes() }
                if !bytes.isEmpty { try write(bytes) }
            }
            playback.finish()
        }
        report.withLock { $0.finish() }
        try write(report.withLock { $0.takeBytes() })
    }

    private func metrics() throws(CommandError) {
        let report = Mutex(MetricsReport())
        for source in sources {
            report.withLock { $0.begin() }
            var playback = Playback(follow: { _ in }, receive: { record in report.withLock { $0.take(record) } })
            try read(source, &playback)
            playback.finish()
        }
        try write(Array(report.withLock { $0.text }.utf8))
    }

    // MARK: in and out

    /// Plays the whole stream, and tells people what is wrong with it.
    private func read(
        _ source: StreamSource, _ playback: inout Playback,
        _ note: (RecordReader.Item) throws(CommandError) -> Void = { _ in }
    ) throws(CommandError) {
        var source = source
        while let item = try source.next(unless: waker) {
            playback.play(item)
            try note(item)
        }
        for sentence in playback.endStream() { Output.complain("\(source.name): \(Sentence(trusting: sentence))") }
    }

    private func write(_ bytes: [UInt8]) throws(CommandError) {
        do {
            try LineWriter(STDOUT_FILENO).write(bytes)
        } catch {
            // As other programs of a pipeline: without a word.
            if error.isReaderGone { exit(141) }
            throw CommandError("the standard output can't be written: \(error); write it to another place", exit: 3)
        }
    }
}
