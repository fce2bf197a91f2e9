import Synchronization
import WhirlCore
import WhirlLoopback

extension TransportPromises {
    /// When to cancel.
    private enum Moment: Sendable {
        case server(@Sendable (ServerRecord) -> Bool)
        case handler(@Sendable (Witness.Testimony) -> Bool)
    }

    /// Cancels at that moment, and expects quiet: at most the call under way, then the end.
    private static func cancels(
        _ id: String, _ words: String, needs: Capabilities = [], _ route: Route,
        onBody: @escaping Witness.OnBody = { _ in .more }, pauses: Bool = false, when moment: Moment
    ) -> TransportPromise {
        TransportPromise(id, "cancel \(words): nothing but the end follows", needs: needs) { subject in
            try await with(subject, route) { transport, server in
                let witness = Witness(onBody: onBody)
                let exchange = transport.get(server.url(), witness)
                switch moment {
                case .server(let condition): await server.until(condition)
                case .handler(let condition): await witness.testimony.until { condition($0) || $0.isOver }
                }
                if pauses { exchange.pause() }
                exchange.cancel()
                let seen = witness.testimony.value.bodies
                exchange.cancel()
                exchange.unpause()
                exchange.pause()
                let testimony = try await witness.end(.cancelled)
                try expect(testimony.bodies <= seen + 1, "\(testimony.bodies - seen) body calls after cancel")
                await server.until { $0.answering == 0 }
                try expect(server.record.requests.allSatisfy(\.clientLeft), "the server sent all of it")
                try await passTime(transport, server)
                try expectEqual(witness.testimony.value.outcomes.count, 1, "ends")
            }
        }
    }

    private static let isAsked = Moment.server { $0.answering == 1 }

    private static let cutInHead = Route.script([.text("HTTP/1.1 200 OK\r\nX-Half: "), .hold])

    static let cancels: [TransportPromise] = [
        cancels("cancel-waiting", "while the server thinks", .silent, when: isAsked),
        cancels("cancel-head", "within the head", cutInHead, when: isAsked),
        cancels(
            "cancel-body", "in the body", .endless(bytesPerSecond: 500_000), when: .handler { $0.received > 50_000 }),
        cancels("cancel-fast", "in a fast body", .bytes(1 << 40), when: .handler { $0.received > 5_000_000 }),
        cancels(
            "cancel-full", "while full", .bytes(1 << 40), onBody: { $0.bodies == 5 ? .full : .more },
            when: .handler { $0.fulls == 1 }),
        cancels(
            "cancel-paused", "while paused", needs: .pause, .bytes(1 << 40), pauses: true,
            when: .handler { $0.received > 5_000_000 }),
        cancels(
            "cancel-last", "before the last byte", .stallsOnLastByte(of: 10_000),
            when: .handler { $0.received == 9_999 }),
        TransportPromise("cancel-at-once", "cancel right after start: the end as cancelled, once") { subject in
            try await with(subject, .bytes(1 << 40)) { transport, server in
                for _ in 0..<50 {
                    let witness = Witness()
                    let exchange = transport.get(server.url(), witness)
                    exchange.cancel()
                    try await witness.end(.cancelled)
                }
                try await passTime(transport, server)
            }
        },
        TransportPromise("cancel-connecting", "cancel while connecting: nothing but the end follows") { subject in
            let port = try DeafPort()
            try await with(subject, [:]) { transport, server in
                let witness = Witness()
                let exchange = transport.get(port.origin, witness)
                try await passTime(transport, server)
                try expect(!witness.testimony.value.isOver, "it connected to a port that is deaf")
                exchange.cancel()
                try await expectEqual(witness.end(.cancelled).heads.count, 0, "heads")
            }
        },
        TransportPromise("cancel-inside", "cancel within a call of the handler is as good as any") { subject in
            try await with(subject, .bytes(1 << 40)) { transport, server in
                for inHead in [true, false] {
                    let handle = Handle()
                    let witness = Witness(
                        onHead: { _ in
                            if inHead { handle.wait().cancel() }
                            return .accept
                        },
                        onBody: { _ in
                            handle.wait().cancel()
                            return .more
                        })
                    handle.set(transport.get(server.url(), witness))
                    try await expectEqual(witness.end(.cancelled).bodies, inHead ? 0 : 1, "body calls")
                }
            }
        },
        TransportPromise("cancel-late", "cancel, pause and unpause after the end do nothing") { subject in
            try await with(subject, .bytes(1000)) { transport, server in
                let witness = Witness()
                let exchange = transport.get(server.url(), witness)
                try await witness.end(.finished)
                exchange.cancel()
                exchange.pause()
                exchange.unpause()
                try await passTime(transport, server)
                try await witness.end(.finished)
            }
        },
        TransportPromise("cancel-storm", "2,000 exchanges, most of them cancelled at any point: one end each") {
            subject in
            try await with(subject, ["/": .bytes(40_000, pace: Pace(piece: 8000))]) { transport, server in
                for round in 0..<40 {
                    let witnesses = (0..<50).map { _ in Witness() }
                    let exchanges = witnesses.map { transport.get(server.url(), $0) }
                    for number in exchanges.indices {
                        if number % 5 == 0 {
                            await witnesses[number].testimony.until { !$0.heads.isEmpty || $0.isOver }
                        }
                        if (number + round) % 7 != 0 { exchanges[number].cancel() }
                    }
                    for witness in witnesses {
                        let testimony = try await witness.end()
                        let result = testimony.outcomes[0].result
                        try expect(result == .cancelled || result == .finished, "\(result)")
                        try expect(result == .cancelled || testimony.received == 40_000, "a short body is finished")
                    }
                }
                try await passTime(transport, server)
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
