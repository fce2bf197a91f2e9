import WhirlCore
import WhirlLoopback

extension TransportPromises {
    /// Pauses, makes sure that nothing comes, goes on, and expects every byte.
    private static func pauses(_ framing: Route.Framing, _ subject: TransportSubject) async throws {
        let gate = Gate()
        let route = Route.bytes(2_000_000, framing: framing, pace: .gate(gate, at: 1_000_000))
        try await with(subject, route) { transport, server in
            let witness = Witness(judging: .bytes)
            let exchange = transport.get(server.url(), witness)
            await witness.testimony.until { $0.received >= 1_000_000 - 100 || $0.isOver }
            exchange.pause()
            exchange.pause()
            try await passTime(transport, server)
            let before = witness.testimony.value.received
            gate.open()
            await server.until { $0.requests.first?.bodySent ?? 0 > 1_100_000 }
            for _ in 0..<5 { try await passTime(transport, server) }
            try expectEqual(witness.testimony.value.received, before, "bytes while paused")
            exchange.unpause()
            exchange.unpause()
            try await witness.end(.finished, bytes: 2_000_000)
            try expectEqual(server.record.requests(for: "/").count, 1, "requests")
        }
    }

    static let holds: [TransportPromise] = [
        TransportPromise("pause", "pause holds the body back; unpause goes on with the exact next byte", needs: .pause)
        {
            subject in
            for framing in [Route.Framing.length, .chunked, .close] { try await pauses(framing, subject) }
        },
        TransportPromise("pause-early", "pause before there is a connection holds the body back", needs: .pause) {
            subject in
            try await with(subject, .bytes(300_000)) { transport, server in
                let witness = Witness(judging: .bytes)
                let exchange = transport.get(server.url(), witness)
                exchange.pause()
                await witness.testimony.until { !$0.heads.isEmpty || $0.isOver }
                for _ in 0..<5 { try await passTime(transport, server) }
                try expectEqual(witness.testimony.value.bodies, 0, "body calls while paused")
                exchange.unpause()
                try await witness.end(.finished, bytes: 300_000)
            }
        },
        TransportPromise("pause-storm", "any number of pauses and unpauses changes no byte", needs: .pause) { subject in
            try await with(subject, .bytes(8_000_000, framing: .chunked)) { transport, server in
                let witness = Witness(judging: .bytes)
                let exchange = transport.get(server.url(), witness)
                for step in 1... {
                    try expect(!Task.isCancelled, "it does not go on after unpause")
                    exchange.pause()
                    let before = witness.testimony.value.received
                    exchange.unpause()
                    if step % 7 == 0 { await witness.testimony.until { $0.received > before || $0.isOver } }
                    if witness.testimony.value.isOver { break }
                    await Task.yield()
                }
                try await witness.end(.finished, bytes: 8_000_000)
            }
        },
        TransportPromise("pause-gone", "a server that goes away during a pause is noticed after it", needs: .pause) {
            subject in
            let gate = Gate()
            let body = Route.Step.body(BodyPattern(), 0..<100_000, chunked: false, .full)
            let route = Route.script([.head("200 OK", ["Content-Length: 900000"]), body, .wait(gate), .close])
            try await with(subject, route) { transport, server in
                let witness = Witness()
                let exchange = transport.get(server.url(), witness)
                await witness.testimony.until { $0.received > 90_000 || $0.isOver }
                exchange.pause()
                try await passTime(transport, server)
                gate.open()
                await server.until { $0.openConnections == 1 }
                exchange.unpause()
                let testimony = try await witness.end()
                try expectEqual(testimony.outcomes[0].code, .truncated, "the error")
            }
        },
        TransportPromise(
            "pause-last-chunk", "a pause before the last chunk loses nothing, though the server is done", needs: .pause
        ) { subject in
            let gate = Gate()
            let body = Route.Step.body(BodyPattern(), 0..<70_000, chunked: true, .gate(gate, at: 60_000))
            let route = Route.script([
                .head("200 OK", ["Transfer-Encoding: chunked"]), body, .endOfChunks(trailers: []), .close,
            ])
            try await with(subject, route) { transport, server in
                let witness = Witness(judging: .bytes)
                let exchange = transport.get(server.url(), witness)
                await witness.testimony.until { $0.received > 59_000 || $0.isOver }
                exchange.pause()
                try await passTime(transport, server)
                gate.open()
                await server.until { $0.requests.first?.isAnswered == true }
                try await passTime(transport, server)
                exchange.unpause()
                try await witness.end(.finished, bytes: 70_000)
            }
        },
    ]
}
