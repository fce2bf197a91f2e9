import WhirlCore
import WhirlLoopback

extension TransportPromises {
    static let verdicts: [TransportPromise] = [
        TransportPromise("discard", "a discarded body is swallowed, and the connection stays of use") { subject in
            try await with(subject, .bytes(40_000)) { transport, server in
                let witness = Witness(onHead: { _ in .discard })
                _ = transport.get(server.url(), witness)
                try await expectEqual(witness.end(.finished).bodies, 0, "body calls")
                try await passTime(transport, server)
                try expectEqual(server.record.connections, 1, "connections")
            }
        },
        TransportPromise("discard-endless", "a discarded body that is not worth it is broken off and never given") {
            subject in
            try await with(subject, .bytes(1 << 33)) { transport, server in
                let witness = Witness(onHead: { _ in .discard })
                let exchange = transport.get(server.url(), witness)
                // A transport may swallow for ever: then it is up to the caller to end it.
                await server.until { $0.bodySent > 1 << 20 || $0.requests.first?.clientLeft == true }
                exchange.cancel()
                try await expectEqual(witness.end().bodies, 0, "body calls")
                await server.until { $0.requests.first?.clientLeft == true }
            }
        },
        TransportPromise("abort", "abort at the head ends the exchange as cancelled, without a body") { subject in
            try await with(subject, .bytes(1 << 33)) { transport, server in
                let witness = Witness(onHead: { _ in .abort })
                _ = transport.get(server.url(), witness)
                try await expectEqual(witness.end(.cancelled).bodies, 0, "body calls")
                await server.until { $0.requests.first?.clientLeft == true }
                try await passTime(transport, server)
            }
        },
        TransportPromise("stop", "stop in the body ends the exchange as cancelled, without another byte") { subject in
            try await with(subject, .bytes(1 << 33)) { transport, server in
                let witness = Witness(onBody: { $0.bodies == 3 ? .stop : .more })
                _ = transport.get(server.url(), witness)
                try await expectEqual(witness.end(.cancelled).bodies, 4, "body calls")
                await server.until { $0.requests.first?.clientLeft == true }
                try await passTime(transport, server)
            }
        },
        TransportPromise("full", "full at every other piece: unpause goes on with the exact next byte") { subject in
            for framing in [Route.Framing.length, .chunked, .close] {
                try await with(subject, .bytes(3_000_001, framing: framing)) { transport, server in
                    let witness = Witness(judging: .bytes, onBody: { $0.fulls <= $0.bodies / 2 ? .full : .more })
                    let exchange = transport.get(server.url(), witness)
                    for number in 1... {
                        try expect(!Task.isCancelled, "it does not go on after unpause")
                        let now = await witness.testimony.until { $0.fulls >= number || $0.isOver }
                        if now.isOver { break }
                        exchange.unpause()
                    }
                    try await witness.end(.finished, bytes: 3_000_001)
                }
            }
        },
        TransportPromise("full-last", "full at the last piece of a body: the end waits for it") { subject in
            for framing in [Route.Framing.length, .chunked, .close] {
                try await with(subject, .bytes(1000, framing: framing)) { transport, server in
                    let witness = Witness(judging: .bytes, onBody: { $0.fulls < 3 ? .full : .more })
                    let exchange = transport.get(server.url(), witness)
                    for number in 1...3 {
                        await witness.testimony.until { $0.fulls >= number || $0.isOver }
                        await server.until { $0.requests.first?.isAnswered == true }
                        try expect(!witness.testimony.value.isOver, "it ended with bytes not taken")
                        exchange.unpause()
                    }
                    try await witness.end(.finished, bytes: 1000)
                }
            }
        },
        TransportPromise("full-stop", "stop for bytes that were given again ends the exchange as cancelled") {
            subject in
            try await with(subject, .bytes(3_000_000)) { transport, server in
                let witness = Witness(onBody: { $0.fulls == 0 ? .full : .stop })
                let exchange = transport.get(server.url(), witness)
                await witness.testimony.until { $0.fulls == 1 }
                exchange.unpause()
                try await expectEqual(witness.end(.cancelled).received, 0, "bytes")
            }
        },
        TransportPromise(
            "full-alone", "full holds back that exchange and its server, and no other", needs: .backpressure
        ) {
            subject in
            try await with(subject, .bytes(32 << 20)) { transport, server in
                let witness = Witness(onBody: { $0.fulls == 0 ? .full : .more })
                let exchange = transport.get(server.url(), witness)
                await witness.testimony.until { $0.fulls == 1 }
                for _ in 0..<20 { try await passTime(transport, server) }
                try expectEqual(witness.testimony.value.bodies, 1, "body calls")
                let sent = server.record.requests.first?.bodySent ?? 0
                try expect(sent < 24 << 20, "the server was not held back: \(sent) bytes")
                exchange.unpause()
                try await witness.end(.finished)
            }
        },
    ]
}
