import WhirlCore
import WhirlLoopback

extension TransportPromises {
    static let heads: [TransportPromise] = [
        TransportPromise("head-fields", "the head has the status and the fields, whatever the case of a name") {
            subject in
            let fields = ["ETag: \"abc\"", "x-odd-NAME:   spaced out \t", "Content-Disposition: attachment"]
            try await with(subject, .bytes(10, status: "203 Odd", fields: fields)) { transport, server in
                let witness = Witness()
                _ = transport.get(server.url(), witness)
                let testimony = try await witness.end(.finished)
                let head = testimony.heads[0]
                try expectEqual(head.status, 203, "status")
                try expectEqual(head["etag"], "\"abc\"", "ETag")
                try expectEqual(head["X-Odd-Name"], "spaced out", "a field with white space about its value")
                try expectEqual(head["Content-Length"], "10", "Content-Length")
                try expectEqual(head["Missing"], nil, "a field that isn't there")
            }
        },
        TransportPromise("head-informational", "informational responses are never seen") { subject in
            let route = Route.informational(["103 Early Hints", "100 Continue", "103 Early Hints"], then: .bytes(1000))
            try await with(subject, route) { transport, server in
                let witness = Witness(judging: .final)
                _ = transport.get(server.url(), witness)
                let testimony = try await witness.end(.finished)
                try expectEqual(testimony.heads.map(\.status), [200], "heads")
                try expectEqual(testimony.heads[0]["Link"], nil, "a field of an informational response")
            }
        },
        TransportPromise("head-failures", "an answer of 400 or above is an answer: head, body, end") { subject in
            for status in [400, 401, 404, 416, 500, 503] {
                try await with(subject, .bytes(500, status: "\(status) No")) { transport, server in
                    let witness = Witness()
                    _ = transport.get(server.url(), witness)
                    let testimony = try await witness.end(.finished)
                    try expectEqual(testimony.heads.map(\.status), [status], "heads")
                    try expect(testimony.bodies > 0, "no body")
                }
            }
        },
        TransportPromise("head-redirects", "redirects are reported, never followed") { subject in
            for status in [301, 302, 303, 307, 308] {
                let routes: [String: Route] = ["/": .redirect("\(status) Away", to: "/small")]
                try await with(subject, routes) { transport, server in
                    let witness = Witness()
                    _ = transport.get(server.url(), witness)
                    let testimony = try await witness.end(.finished)
                    try expectEqual(testimony.heads.map(\.status), [status], "heads")
                    try expectEqual(testimony.heads[0]["Location"], "/small", "Location")
                    try expectEqual(server.record.requests.map(\.target), ["/"], "requests")
                }
            }
        },
        TransportPromise("head-no-location", "a redirect that doesn't say where to is an answer too") { subject in
            try await with(subject, .redirectWithoutLocation) { transport, server in
                let witness = Witness()
                _ = transport.get(server.url(), witness)
                try await expectEqual(witness.end(.finished).heads.map(\.status), [302], "heads")
            }
        },
        TransportPromise("request-as-given", "method, target and fields reach the server as given") { subject in
            let routes: [String: Route] = ["/a%20b/c": .bytes(10)]
            try await with(subject, routes) { transport, server in
                let witness = Witness()
                let fields = [
                    HTTPField("X-One", "1"), HTTPField("Range", "bytes=5-"), HTTPField("Accept-Encoding", "identity"),
                ]
                let url = server.url("/a%20b/c?q=%2F&r=1")
                _ = transport.start(ExchangeRequest(method: "OPTIONS", url: url, fields: fields), witness)
                try await witness.end(.finished)
                let request = server.record.requests[0]
                try expectEqual(request.method, "OPTIONS", "method")
                try expectEqual(request.target, "/a%20b/c?q=%2F&r=1", "target")
                for field in fields { try expectEqual(request[field.name], field.value, field.name) }
            }
        },
        TransportPromise("request-forged", "a field that would begin another line is refused, and nothing is sent") {
            subject in
            try await with(subject, .bytes(10)) { transport, server in
                let witness = Witness()
                let fields = [HTTPField("X-One", "1\r\nX-Two: 2")]
                _ = transport.start(ExchangeRequest(url: server.url(), fields: fields), witness)
                let testimony = try await witness.end()
                try expectEqual(testimony.outcomes[0].code, .usage, "the error")
                try expectEqual(server.record.requests.count, 0, "requests")
            }
        },
        TransportPromise("phases", "steps before the head are told as they are taken", needs: .phases) { subject in
            try await with(subject, .bytes(10)) { transport, server in
                let witness = Witness()
                _ = transport.get(server.url(), witness)
                let phases = try await witness.end(.finished).phases
                try expect(phases.suffix(2) == [.connecting, .waiting], "\(phases)")
            }
        },
        TransportPromise("timings", "the outcome says how long its parts took", needs: .timings) { subject in
            try await with(subject, .script([.pause(milliseconds: 50)] + [.head("200 OK", ["Content-Length: 0"])])) {
                transport, server in
                let witness = Witness()
                _ = transport.get(server.url(), witness)
                let timings = try await witness.end(.finished).outcomes[0].timings
                try expect((timings?.wait ?? 0) >= 50, "wait: \(String(describing: timings?.wait))")
                try expect((timings?.connect ?? -1) >= 0, "connect: \(String(describing: timings?.connect))")
            }
        },
    ]
}
