import Synchronization
import WhirlCore
import WhirlLoopback

extension TaskPromises {
    static let progress: [TaskPromise] = shown + counted

    private static let shown: [TaskPromise] = [
        TaskPromise("progress-bound", "an indicator shows at once, is detached by nil, and can go at any time (P01)") {
            subject in
            let gate = Gate()
            try await with(subject, ["/a": half(gate)]) { setting in
                let log = try setting.add()
                await log.until { $0.progress.received == size / 2 }
                let detached = Gauge()
                var dropped: Gauge? = Gauge()
                weak let weakly = dropped
                for gauge in [detached, dropped] { gauge?.setAnimating(withStateOf: log.task) }
                try expectEqual(detached.shown.first?.received, size / 2, "what it shows first")
                try expect(detached.isAnimating, "it is not animating")
                detached.setAnimating(withStateOf: nil)
                dropped = nil
                try expect(weakly == nil, "it is held")
                let count = detached.shown.count
                gate.open()
                try await log.success()
                try expectEqual(detached.shown.count, count, "what was shown")
                try expect(!detached.isAnimating, "it is animating")
            }
        },
        TaskPromise("progress-complete", "all bytes in hand do not stop an indicator, the end does (P07)") { subject in
            let gate = Gate()
            let route = Route.script([
                .head("200 OK", ["Transfer-Encoding: chunked"]), .body(BodyPattern(), 0..<size, chunked: true, .full),
                .wait(gate), .endOfChunks(trailers: []),
            ])
            try await with(subject, ["/a": route]) { setting in
                let log = try setting.add()
                let gauge = Gauge()
                gauge.setAnimating(withStateOf: log.task)
                await log.until { $0.progress.received == size }
                try expect(gauge.isAnimating, "it stopped before the end")
                gate.open()
                try await log.success()
                try expect(!gauge.isAnimating, "it still animates")
                try expectEqual(gauge.shown.last?.fraction, 1, "the fraction at the end")
            }
        },
        TaskPromise("progress-often", "ten pieces 150 ms apart give at least five updates, the last exact (P08)") {
            subject in
            try await with(subject, ["/a": .bytes(10_000, pace: Pace(piece: 1000, pause: 150))]) { setting in
                let log = try setting.add()
                try await log.success()
                let numbers = Set(log.progress.map(\.received)).subtracting([0])
                try expect(numbers.count >= 5, "\(numbers.sorted())")
                try expectEqual(log.progress.last?.received, 10_000, "the last")
            }
        },
    ]

    private static let counted: [TaskPromise] = [
        TaskPromise("progress-fraction", "the fraction is within 0...1 and 1 once, at the end, of no bytes too (P02)") {
            subject in
            for size in [0, 1, size] {
                try await with(subject, ["/a": .file(size: size)]) { setting in
                    let log = try setting.add()
                    try await log.success()
                    let fractions = log.progress.compactMap(\.fraction)
                    try expect(fractions.allSatisfy { 0...1 ~= $0 }, "\(fractions)")
                    try expectEqual(fractions.count { $0 == 1 }, 1, "how often it is 1")
                    try expectEqual(fractions.last, 1, "the last")
                }
            }
        },
        TaskPromise("progress-unknown", "an unknown total is indeterminate; 1 on success, left on failure (P03)") {
            subject in
            let routes = ["/a": Route.bytes(size, framing: .chunked), "/b": .chunkedWithoutEnd(1000)]
            try await with(subject, routes) { setting in
                let log = try setting.add()
                try await log.success()
                try expectEqual(log.progress.dropLast().compactMap(\.fraction), [], "fractions before the end")
                try expectEqual(log.progress.last?.fraction, 1, "the fraction at the end")
                let other = try setting.add("/b")
                try await other.end()
                try expectEqual(other.progress.compactMap(\.fraction), [], "fractions of a failure")
            }
        },
        TaskPromise("progress-restart", "a number falls only after restarted has said so (P04)") { subject in
            let gate = Gate()
            let route = Route.files { request in
                guard request.number == 0 else { return ServedFile(size: size, seed: 2) }
                return ServedFile(size: size, pace: .gate(gate, at: size / 2))
            }
            try await with(subject, ["/a": route]) { setting in
                let log = try setting.add()
                await log.until { $0.progress.received == size / 2 }
                log.task.suspend()
                log.task.resume()
                try await log.success()
                try expect(log.events.contains(.restarted(reason: "changed")), "\(log.events)")
                try setting.expectFile("a", seed: 2)
            }
        },
        TaskPromise("progress-continued", "a continued transfer counts from its offset, of the whole (P05)") {
            subject in
            try await with(subject, ["/a": half(Gate())]) { setting in
                let log = try setting.add()
                await log.until { $0.progress.received == size / 2 }
                log.task.suspend()
                log.task.resume()
                try await log.success()
                let second = log.updates.filter { $0.snapshot.attempt == 2 }.map(\.snapshot)
                try expect(second.allSatisfy { $0.offset == size / 2 }, "offsets \(second.map(\.offset))")
                try expect(second.allSatisfy { $0.progress.received >= size / 2 }, "bytes before the offset")
                try expectEqual(Set(second.compactMap(\.progress.total)), [size], "totals")
            }
        },
        TaskPromise("progress-encoded", "of an encoded body like is compared with like, or nothing (P06)") { subject in
            try await with(subject, ["/a": .gzip]) { setting in
                let log = try setting.add()
                try await log.end()
                for progress in log.progress {
                    try expect(
                        progress.received <= progress.total ?? .max, "\(progress.received) of \(progress.total ?? 0)")
                }
            }
        },
    ]
}

/// An indicator that remembers.
private final class Gauge: ProgressIndicator, Sendable {
    let binding = IndicatorBinding()
    private let state = Mutex<(shown: [TransferProgress], isAnimating: Bool)>(([], false))

    var shown: [TransferProgress] { state.withLock { $0.shown } }
    var isAnimating: Bool { state.withLock { $0.isAnimating } }

    func startAnimating() { state.withLock { $0.isAnimating = true } }
    func stopAnimating() { state.withLock { $0.isAnimating = false } }
    func show(_ progress: TransferProgress) { state.withLock { $0.shown.append(progress) } }
}
