import WhirlCore
import WhirlLoopback

extension TransportPromises {
    static let storms: [TransportPromise] = [
        TransportPromise("cancel-storm", "2,000 exchanges, most of them cancelled at any point: one end each") {
            subject in
            try await with(subject, ["/": .bytes(40_000, pace: Pace(piece: 8000))]) { transport, server in
                for round in 0..<40 {
                    let witnesses = (0..<50).map { _ in Witness(judging: .once) }
                    let exchanges = witnesses.map { transport.get(server.url(), $0) }
                    for number in exchanges.indices {
                        if number % 5 == 0 {
                            await witnesses[number].testimony.until { !$0.heads.isEmpty || $0.isOver }
                        }
                        if (number + round) % 7 != 0 { exchanges[number].cancel() }
                    }
                    for witness in witnesses {
                        let result = try await witness.end().outcomes[0].result
                        try expect(result == .cancelled || result == .finished, "\(result)")
                    }
                    try await passTime(transport, server)
                    for witness in witnesses { try witness.judge() }
                }
            }
        }
    ]
}
