import WhirlCore
import WhirlLoopback

extension TransportPromises {
    /// The exchange fails with `code`, after `bytes` exact bytes of the body, and the transport is of use afterwards.
    private static func fault(
        _ id: String, _ words: String, needs: Capabilities = [], _ route: Route, _ code: TransferError.Code,
        after bytes: Int64 = 0, heads: Int = 0
    ) -> TransportPromise {
        TransportPromise(id, "\(words) fails as \(code)", needs: needs) { subject in
            try await with(subject, route) { transport, server in
                let witness = Witness(id == "fault-chunk-size" ? nil : BodyPattern())
                _ = transport.get(server.url(), witness)
                let testimony = try await witness.end()
                try expectEqual(testimony.outcomes[0].code, code, "the error of \(testimony.outcomes[0].result)")
                try expectEqual(testimony.received, bytes, "bytes before it")
                try expectEqual(testimony.heads.count, heads, "heads")
                try await passTime(transport, server)
            }
        }
    }

    static let faults: [TransportPromise] = [
        TransportPromise("fault-refused", "a port that nobody listens on fails as connect") { subject in
            let server = try LoopbackServer([:])
            let url = server.url()
            server.stop()
            let witness = Witness()
            let transport = try subject.make()
            _ = transport.get(url, witness)
            try await expectEqual(witness.end().outcomes[0].code, .connect, "the error")
        },
        TransportPromise("fault-scheme", "a URL that is neither http nor https is refused") { subject in
            for url in ["ftp://127.0.0.1/a", "file:///etc/passwd", "127.0.0.1/a", ""] {
                let witness = Witness()
                let transport = try subject.make()
                _ = transport.get(url, witness)
                let code = try await witness.end().outcomes[0].code
                try expect(code == .usage || code == .unsupported, "\(url): \(code?.rawValue ?? "no error")")
            }
        },
        fault("fault-empty", "a connection closed without a byte", .closesAtOnce, .reset),
        fault("fault-reset", "a connection reset before the head", .resetsAtOnce, .reset),
        fault(
            "fault-reset-body", "a connection reset in the body", .resets(after: 1000), .reset, after: 1000, heads: 1),
        fault("fault-head-cut", "a head that is cut short", needs: .robust, .cutsHead, .reset),
        fault(
            "fault-head-cut-length", "a head that is cut short after its length", needs: .robust,
            .raw("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n"), .reset),
        fault(
            "fault-short", "a body shorter than its length", .short(1000, of: 2000), .truncated, after: 1000, heads: 1),
        fault(
            "fault-chunks-cut", "a chunked body without its end", .chunkedWithoutEnd(1000), .truncated, after: 1000,
            heads: 1),
        fault("fault-chunk-size", "a chunk size that is no number", .badChunkSize, .malformed, after: 5, heads: 1),
        fault("fault-length", "a negative length", .contentLength("-5"), .malformed),
        TransportPromise("trailers", "trailers are no part of the head or the body", needs: .robust) { subject in
            try await with(subject, .trailers(1000, ["X-After: 1", "Content-Length: 7"])) { transport, server in
                let witness = Witness()
                _ = transport.get(server.url(), witness)
                let testimony = try await witness.end(.finished)
                try expectEqual(testimony.received, 1000, "bytes")
                try expectEqual(testimony.heads[0]["X-After"], nil, "a trailer in the head")
            }
        },
        TransportPromise("fault-endless-head", "a head without end is broken off", needs: .robust) { subject in
            let line = Route.Step.text("X-More: " + String(repeating: "more", count: 250) + "\r\n")
            let route = Route.script([.text("HTTP/1.1 200 OK\r\n")] + Array(repeating: line, count: 2000) + [.hold])
            try await with(subject, route) { transport, server in
                let witness = Witness()
                _ = transport.get(server.url(), witness)
                try await expectEqual(witness.end().outcomes[0].code, .malformed, "the error")
                await server.until { $0.requests[0].clientLeft }
            }
        },
    ]
}
