import Synchronization
import WhirlCore
import WhirlLoopback

extension TransportPromises {
    /// When to cancel.
    private enum Moment: Sendable {
        case server(@Sendable (ServerRecord) -> Bool)
        case handler(@Sendable (Witness.Testimony) -> Bool)
    }

    /// How long a cancelled exchange may go on.
    private static let quiet = Duration.milliseconds(100)

    /// Cancels, and expects quiet soon: at most the call under way, then the end.
    ///
    /// Returns how long it took; never ending is broken here already. `code`: a failure that may have come before.
    @discardableResult
    static func expectQuiet(
        _ witness: Witness, after exchange: any Exchange, orFails code: TransferError.Code? = nil,
        fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line
    ) async throws -> Duration {
        let began = ContinuousClock.now
        exchange.cancel()
        let seen = witness.testimony.value.bodies
        exchange.cancel()
        exchange.unpause()
        exchange.pause()
        let ended = await within(.seconds(2)) { await witness.testimony.until { $0.isOver } }
        let took = ContinuousClock.now - began
        try expect(
            ended?.isOver == true, "no end within 2 s of the cancel", fileID: fileID, filePath: filePath, line: line)
        let testimony = try witness.judge(fileID: fileID, filePath: filePath, line: line)
        let outcome = testimony.outcomes[0]
        try expect(
            outcome.result == .cancelled || (code != nil && outcome.code == code), "the end: \(outcome.result)",
            fileID: fileID, filePath: filePath, line: line)
        try expect(
            testimony.bodies <= seen + 1, "\(testimony.bodies - seen) body calls after cancel", fileID: fileID,
            filePath: filePath, line: line)
        return took
    }

    /// A busy machine may hold up anyone: out of five times one must be quick.
    static func expectQuick(_ once: () async throws -> Duration) async throws {
        var shortest = Duration.seconds(3600)
        for _ in 0..<5 where shortest > quiet { shortest = min(shortest, try await once()) }
        try expect(shortest <= quiet, "the end came \(shortest) after the cancel")
    }

    private static func cancels(
        _ id: String, _ words: String, needs: Capabilities = [], _ route: Route,
        onBody: @escaping Witness.OnBody = { _ in .more }, pauses: Bool = false, when moment: Moment
    ) -> TransportPromise {
        TransportPromise(id, "cancel \(words): nothing but the end follows, within 100 ms", needs: needs) { subject in
            try await expectQuick {
                var took = Duration.zero
                try await with(subject, route) { transport, server in
                    let witness = Witness(judging: .once, onBody: onBody)
                    let exchange = transport.get(server.url(), witness)
                    switch moment {
                    case .server(let condition): await server.until(condition)
                    case .handler(let condition): await witness.testimony.until { condition($0) || $0.isOver }
                    }
                    if pauses { exchange.pause() }
                    took = try await expectQuiet(witness, after: exchange)
                    await server.until { $0.answering == 0 }
                    try expect(server.record.requests.allSatisfy(\.clientLeft), "the server sent all of it")
                    try await passTime(transport, server)
                    try witness.judge()
                }
                return took
            }
        }
    }

    private static let isAsked = Moment.server { $0.answering == 1 }

    private static let cutInHead = Route.script([.text("HTTP/1.1 200 OK\r\nX-Half: "), .hold])

    static let cancels: [TransportPromise] =
        [
            cancels("cancel-waiting", "while the server thinks", .silent, when: isAsked),
            cancels("cancel-head", "within the head", cutInHead, when: isAsked),
            cancels(
                "cancel-body", "in the body", .endless(bytesPerSecond: 500_000),
                when: .handler { $0.received > 50_000 }),
            cancels("cancel-fast", "in a fast body", .bytes(1 << 40), when: .handler { $0.received > 5_000_000 }),
            cancels(
                "cancel-full", "while full", .bytes(1 << 40), onBody: { $0.bodies == 5 ? .full : .more },
                when: .handler { $0.fulls == 1 }),
            cancels(
                "cancel-paused", "while paused", needs: .pause, .bytes(1 << 40), pauses: true,
                when: .handler { $0.received > 5_000_000 }),
            cancels(
                "cancel-last", "before the last byte", .stallsOnLastByte(of: 10_000),
                when: .handler { $0.received > 9_000 }),
        ] + early + late

    private static let early: [TransportPromise] = [
        TransportPromise("cancel-at-once", "cancel right after start: the end as cancelled, once") { subject in
            try await with(subject, .bytes(1 << 40)) { transport, server in
                for _ in 0..<50 {
                    let witness = Witness(judging: .once)
                    try await expectQuiet(witness, after: transport.get(server.url(), witness))
                }
                try await passTime(transport, server)
            }
        },
        TransportPromise(
            "cancel-resolving", "cancel while a name is resolved: nothing but the end follows, within 100 ms"
        ) { subject in
            try await with(subject, [:]) { transport, server in
                try await expectQuick {
                    let witness = Witness(judging: .once)
                    let exchange = transport.get("http://\(UInt32.random(in: 0 ... .max)).invalid/", witness)
                    if subject.capabilities.contains(.phases) {
                        await witness.testimony.until { $0.phases.contains(.resolving) || $0.isOver }
                    }
                    let took = try await expectQuiet(witness, after: exchange, orFails: .resolve)
                    try await passTime(transport, server)
                    try witness.judge()
                    return took
                }
            }
        },
        TransportPromise(
            "cancel-connecting", "cancel while connecting: nothing but the end follows, within 100 ms"
        ) { subject in
            let port = try DeafPort()
            try await with(subject, [:]) { transport, server in
                try await expectQuick {
                    let witness = Witness(judging: .once)
                    let exchange = transport.get(port.origin, witness)
                    try await passTime(transport, server)
                    try expect(!witness.testimony.value.isOver, "it connected to a port that is deaf")
                    let took = try await expectQuiet(witness, after: exchange)
                    try await passTime(transport, server)
                    try witness.judge()
                    return took
                }
            }
        },
    ]

    private static let late: [TransportPromise] = [
        TransportPromise("cancel-inside", "cancel within a call of the handler is as good as any") { subject in
            try await with(subject, .bytes(1 << 40)) { transport, server in
                for inHead in [true, false] {
                    let handle = Handle()
                    let witness = Witness(
                        judging: .once,
                        onHead: { _ in
                            if inHead { handle.wait().cancel() }
                            return .accept
                        },
                        onBody: { _ in
                            handle.wait().cancel()
                            return .more
                        })
                    handle.set(transport.get(server.url(), witness))
                    let ended = await within(.seconds(5)) { await witness.testimony.until { $0.isOver } }
                    try expect(ended?.isOver == true, "no end within 5 s of the cancel")
                    try await expectEqual(witness.end(.cancelled).bodies, inHead ? 0 : 1, "body calls")
                }
            }
        },
        TransportPromise("cancel-late", "cancel, pause and unpause after the end do nothing") { subject in
            try await with(subject, .bytes(1000)) { transport, server in
                let witness = Witness()
                let exchange = transport.get(server.url(), witness)
                try await witness.end(.finished)
                try await passTime(transport, server)
                let ends = witness.testimony.value.outcomes.count
                exchange.cancel()
                exchange.pause()
                exchange.unpause()
                try await passTime(transport, server)
                try expectEqual(witness.testimony.value.outcomes.count, ends, "ends after it")
            }
        },
    ]
}

/// An exchange that its own handler needs, perhaps before `start` has returned it.
final class Handle: Sendable {
    private let exchange = Mutex<(any Exchange)?>(nil)

    func set(_ exchange: any Exchange) { self.exchange.withLock { $0 = exchange } }

    /// Spins for the moment between a first callback and the return of `start`.
    func wait() -> any Exchange {
        while true {
            if let exchange = exchange.withLock({ $0 }) { return exchange }
        }
    }
}
