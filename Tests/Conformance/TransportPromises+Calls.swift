import WhirlCore
import WhirlLoopback

/// The calls of a handler: their order, and the one end.
extension TransportPromises {
    private static let answers: [(words: String, route: Route)] = [
        ("a body of known length", .bytes(100_000)), ("chunks", .bytes(100_000, framing: .chunked)),
        ("a body up to the close", .bytes(100_000, framing: .close)), ("an empty body", .bytes(0)),
        ("no body", .bodiless("204 No Content")), ("a refusal", .bytes(500, status: "404 Not Found")),
        ("a redirect", .redirect(to: "/small")), ("a short body", .short(1000, of: 2000)),
        ("a reset", .resets(after: 1000)), ("no answer", .closesAtOnce),
    ]

    /// Judges by one law every kind of answer, and every verdict that ends an exchange.
    private static func calls(_ id: String, _ sentence: String, _ law: Law) -> TransportPromise {
        TransportPromise(id, sentence) { subject in
            for answer in answers {
                try await with(subject, answer.route) { transport, server in
                    let witnesses = [
                        Witness(judging: law), Witness(judging: law, onHead: { _ in .discard }),
                        Witness(judging: law, onHead: { _ in .abort }), Witness(judging: law, onBody: { _ in .stop }),
                    ]
                    for witness in witnesses {
                        _ = transport.get(server.url(), witness)
                        await witness.testimony.until { $0.isOver }
                        try await passTime(transport, server)
                        do {
                            try witness.judge()
                        } catch let broken as BrokenPromise {
                            throw broken.told(of: answer.words)
                        }
                    }
                }
            }
        }
    }

    static let calls: [TransportPromise] = [
        calls("order", "head, body, end: in this order, one at a time, whatever the answer", .order),
        calls("end-once", "the end comes once, last, whatever the answer and the verdict", .once),
    ]
}

extension BrokenPromise {
    /// The same, with the case it was seen in.
    func told(of words: String) -> BrokenPromise {
        BrokenPromise(what: "\(words): \(what)", fileID: fileID, filePath: filePath, line: line)
    }
}
