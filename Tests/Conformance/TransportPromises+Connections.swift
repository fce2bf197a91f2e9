import WhirlCore
import WhirlLoopback

extension TransportPromises {
    static let connections: [TransportPromise] = [
        TransportPromise("reuse", "a connection is used again") { subject in
            try await with(subject, [:]) { transport, server in
                for _ in 0..<20 { try await passTime(transport, server) }
                try expectEqual(server.record.connections, 1, "connections")
                try expectEqual(server.record.requests.count, 20, "requests")
            }
        },
        TransportPromise("parallel", "exchanges go on at the same time, from the first on") { subject in
            let gate = Gate()
            try await with(subject, .bytes(1000, pace: .gate(gate, at: 500))) { transport, server in
                let witnesses = (0..<8).map { _ in Witness() }
                for witness in witnesses { _ = transport.get(server.url(), witness) }
                await server.until { $0.answering == 8 }
                for witness in witnesses { await witness.testimony.until { $0.received > 400 || $0.isOver } }
                try await passTime(transport, server)
                gate.open()
                for witness in witnesses { try await witness.end(.finished) }
            }
        },
        TransportPromise("chain", "an exchange can be started within the end of another") { subject in
            try await with(subject, [:]) { transport, server in
                let url = server.url("/small")
                let last = Witness()
                @Sendable func go(_ left: Int) {
                    let next: Witness = left == 0 ? last : Witness(onEnd: { go(left - 1) })
                    _ = transport.get(url, next)
                }
                go(50)
                try await last.end(.finished)
                try expectEqual(server.record.requests.count, 51, "requests")
            }
        },
        TransportPromise("many", "500 exchanges at once each get their own bytes") { subject in
            let server = try LoopbackServer { .bytes(20_000, seed: Int($0.target.dropFirst()) ?? 0) }
            defer { server.stop() }
            let transport = try subject.make()
            let witnesses = (0..<500).map { Witness(judging: .bytes, BodyPattern($0)) }
            for (number, witness) in witnesses.enumerated() { _ = transport.get(server.url("/\(number)"), witness) }
            for witness in witnesses { try await witness.end(.finished, bytes: 20_000) }
        },
        TransportPromise("forgets", "after the end the transport has forgotten the handler") { subject in
            try await with(subject, [:]) { transport, server in
                let isGone = Watched(false)
                let exchange = transport.get(server.url("/small"), LastBreath { isGone.change { $0 = true } })
                let isForgotten = await within(.seconds(5)) { await isGone.until { $0 } }
                try expect(isForgotten == true, "the handler is still there 5 s after the end")
                exchange.cancel()
                try await passTime(transport, server)
            }
        },
        TransportPromise("release", "releasing the transport ends what is under way as cancelled") { subject in
            try await with(subject, .silent) { _, server in
                let witness = Witness()
                do {
                    let transport = try subject.make()
                    _ = transport.get(server.url(), witness)
                    await server.until { $0.answering == 1 }
                }
                try await witness.end(.cancelled)
                await server.until { $0.openConnections == 0 }
            }
        },
        TransportPromise("release-inside", "the transport can be released within a call of a handler") { subject in
            try await with(subject, [:]) { _, server in
                let box = Watched<(any Transport)?>(try subject.make())
                let witness = Witness(onEnd: { box.change { $0 = nil } })
                _ = box.value?.get(server.url("/small"), witness)
                try await witness.end(.finished)
            }
        },
    ]
}

/// A handler that tells when it is released.
private final class LastBreath: ExchangeHandler {
    private let tell: @Sendable () -> Void

    init(_ tell: @escaping @Sendable () -> Void) { self.tell = tell }

    deinit { tell() }

    func head(_ head: ResponseHead) -> HeadVerdict { .accept }
    func body(_ bytes: borrowing RawSpan) -> BodyVerdict { .more }
    func end(_ outcome: ExchangeOutcome) {}
}
