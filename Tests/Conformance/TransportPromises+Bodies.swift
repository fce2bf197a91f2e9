import WhirlCore
import WhirlLoopback

extension TransportPromises {
    private static let sizes: [Int64] = [0, 1, 16_383, 16_384, 16_385, 1_000_003]

    private static func exact(_ id: String, _ framing: Route.Framing, _ words: String) -> TransportPromise {
        TransportPromise(id, "a body \(words) is given exactly, whatever its size") { subject in
            for size in sizes {
                try await with(subject, .bytes(size, framing: framing)) { transport, server in
                    let witness = Witness(judging: .bytes)
                    _ = transport.get(server.url(), witness)
                    let testimony = try await witness.end(.finished, bytes: size)
                    try expectEqual(testimony.heads.first?.status, 200, "status")
                }
            }
        }
    }

    static let bodies: [TransportPromise] = [
        exact("body-length", .length, "of known length"),
        exact("body-chunked", .chunked, "in chunks"),
        exact("body-close", .close, "that ends with the connection"),
        TransportPromise("body-pieces", "a body that comes in many small pieces is given as it comes") { subject in
            let gate = Gate()
            let pace = Pace(piece: 7, gates: [700: gate])
            try await with(subject, .bytes(1400, framing: .chunked, pace: pace)) { transport, server in
                let witness = Witness(judging: .bytes)
                _ = transport.get(server.url(), witness)
                await witness.testimony.until { $0.received >= 650 || $0.isOver }
                gate.open()
                try await witness.end(.finished, bytes: 1400)
            }
        },
        TransportPromise("body-none", "answers to HEAD and those of status 204 and 304 have a head and no body") {
            subject in
            let routes: [String: Route] = [
                "/": .bytes(1000), "/204": .bodiless("204 No Content"),
                "/304": .bodiless("304 Not Modified", fields: ["ETag: \"1\""]),
            ]
            try await with(subject, routes) { transport, server in
                for (method, path, status) in [("HEAD", "/", 200), ("GET", "/204", 204), ("GET", "/304", 304)] {
                    let witness = Witness()
                    _ = transport.start(ExchangeRequest(method: method, url: server.url(path)), witness)
                    let testimony = try await witness.end(.finished)
                    try expectEqual(testimony.heads.first?.status, status, "status")
                    try expectEqual(testimony.bodies, 0, "body calls")
                }
            }
        },
        TransportPromise("body-raw", "an encoded body is given as sent", needs: .rawBody) { subject in
            try await with(subject, .gzip) { transport, server in
                let witness = Witness()
                _ = transport.get(server.url(), witness)
                try await expectEqual(witness.end(.finished).received, Int64(Route.gzipped.count), "bytes")
            }
        },
        TransportPromise("body-cut", "the bytes that came before a fault are given exactly") { subject in
            for route in [Route.short(100_000, of: 200_000), .chunkedWithoutEnd(100_000)] {
                try await with(subject, route) { transport, server in
                    let witness = Witness(judging: .bytes)
                    _ = transport.get(server.url(), witness)
                    try await expectEqual(witness.end().received, 100_000, "bytes")
                }
            }
        },
        TransportPromise("trailers", "trailers are no part of the head or the body", needs: .robust) { subject in
            try await with(subject, .trailers(1000, ["X-After: 1", "Content-Length: 7"])) { transport, server in
                let witness = Witness(judging: .bytes)
                _ = transport.get(server.url(), witness)
                let testimony = try await witness.end(.finished, bytes: 1000)
                try expectEqual(testimony.heads.first?["X-After"], nil, "a trailer in the head")
            }
        },
    ]
}
