import WhirlCore
import WhirlLoopback

extension TaskPromises {
    /// What may be under way to a client that has stopped reading: both kernels' buffers, at the most.
    private static let window: Int64 = 8 << 20
    /// What may be on its way from the transport to the file when a task is suspended, at the most.
    private static let piece: Int64 = 256 << 10

    static let pauses: [TaskPromise] = [
        TaskPromise(
            "pauses", "20 pauses at random places: exact bytes, and each time the server is asked for the next one"
        ) { subject in
            let size: Int64 = 12_000_000
            try await with(subject, ["/a": .file(size: size, pace: .rate(12_000_000))]) { setting in
                let log = try setting.add()
                var places = (0..<20).map { _ in Int64.random(in: 1..<size) }.sorted()[...]
                var asked: Set<Int64> = []
                while let place = places.popFirst() {
                    await log.until { $0.progress.received >= place }
                    log.task.suspend()
                    asked.insert(log.task.life.snapshot.progress.received)
                    log.task.resume()
                }
                try await log.success()
                let requests = setting.server.record.requests
                let offsets = Set(log.updates.map(\.snapshot.offset))
                for request in requests.dropFirst() {
                    let start = request["Range"].flatMap { Int64($0.dropFirst(6).dropLast()) } ?? 0
                    try expect(offsets.contains(start), "asked for \(start), told of \(offsets.sorted())")
                    let isNext = asked.contains { ($0...$0 + piece).contains(start) }
                    try expect(isNext, "asked for \(start), where \(asked.sorted()) were there")
                }
                let pauses = Int64(log.events.count { $0 == .suspended(reason: "user") })
                let twice = setting.server.record.bodySent - size
                try expect(twice <= pauses * window, "\(twice) bytes were sent twice in \(pauses) pauses")
                try setting.expectFile("a", size)
            }
        }
    ]
}
