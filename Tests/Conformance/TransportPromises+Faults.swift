import WhirlCore
import WhirlLoopback

extension TransportPromises {
    /// The exchange ends as the table of faults says, and the transport is of use afterwards.
    private static func fault(_ fault: Fault) -> TransportPromise {
        // What takes a process down is no promise: the table says so, and a test sees it die in a process of its own.
        let isDeadly = fault.exceptions.values.contains(.dies)
        return TransportPromise(
            "fault-" + fault.id, "a server that \(fault.words): \(fault.ending)", needs: isDeadly ? .robust : []
        ) { subject in
            try await with(subject, fault.route) { transport, server in
                let witness = Witness()
                let exchange = transport.get(server.url(), witness)
                let wanted = fault.ending(over: subject.name)
                if wanted == .waits {
                    await server.until { $0.answering == 1 }
                    if fault.heads > 0 { await witness.testimony.until { $0.bodies > 0 || $0.isOver } }
                    for _ in 0..<5 { try await passTime(transport, server) }
                    try expect(!witness.testimony.value.isOver, "it ended by itself")
                    try await expectQuiet(witness, after: exchange)
                } else {
                    let testimony = try await witness.end()
                    try expectEqual(testimony.outcomes[0].ending, wanted, "the end, \(testimony.outcomes[0].result)")
                    if wanted == fault.ending { try expectEqual(testimony.heads.count, fault.heads, "heads") }
                }
                try await passTime(transport, server)
                // However little it has sent: what goes on without end was broken off.
                await server.until { $0.answering == 0 }
            }
        }
    }

    static let faults: [TransportPromise] =
        [
            TransportPromise("fault-refused", "a port that nobody listens on fails as connect") { subject in
                let server = try LoopbackServer([:])
                let url = server.url()
                server.stop()
                let witness = Witness()
                let transport = try subject.make()
                _ = transport.get(url, witness)
                try await expectEqual(witness.end().outcomes[0].code, .connect, "the error")
            },
            TransportPromise("fault-name", "a name that is not found fails as resolve") { subject in
                let witness = Witness()
                let transport = try subject.make()
                _ = transport.get("http://nowhere.invalid/", witness)
                try await expectEqual(witness.end().outcomes[0].code, .resolve, "the error")
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
        ] + Fault.all.map { fault($0) }
}

extension ExchangeOutcome {
    /// The code of a failure; nil when it is none.
    var code: TransferError.Code? {
        if case .failed(let error) = result { error.code } else { nil }
    }

    /// As the table of faults has it.
    var ending: Fault.Ending { code.map { .fails($0) } ?? (result == .finished ? .finishes : .waits) }
}
