import Dispatch
import Glibc
import WhirlCore
import WhirlLoopback

/// What exchanges cost, and whom they hold up.
extension TransportPromises {
    static let resources: [TransportPromise] = [
        TransportPromise(
            "steady", "10,000 exchanges leave memory, descriptors and threads as they were after the first thousands",
            isProcessWide: true
        ) { subject in
            let transport = try subject.make()
            var before = try ProcessFigures()
            for round in 0..<10 {
                // A server of its own for each round, as its record grows.
                let server = try LoopbackServer(.bytes(3000))
                defer { server.stop() }
                for _ in 0..<125 {
                    let witnesses = (0..<8).map { _ in Witness() }
                    for witness in witnesses { _ = transport.get(server.url(), witness) }
                    for witness in witnesses { try await witness.end(.finished) }
                }
                if round == 4 { before = try ProcessFigures() }
            }
            let after = try ProcessFigures()
            try expect(after.memory < before.memory + 8 << 10, "\(after.memory - before.memory) KiB more")
            try expect(
                after.descriptors <= before.descriptors + 40, "\(before.descriptors), \(after.descriptors) files")
            try expect(after.threads <= before.threads + 2, "\(before.threads), then \(after.threads) threads")
            withExtendedLifetime(transport) {}
        },
        TransportPromise(
            "flat", "a handler slower than its server is felt by the server, and memory stays flat", isProcessWide: true
        ) { subject in
            try await with(subject, .bytes(64 << 20)) { transport, server in
                let first = Witness(onBody: { $0.bodies < 100 ? .more : .stop })
                _ = transport.get(server.url(), first)
                try await first.end(.cancelled)
                let before = try ProcessFigures()
                let witness = Witness(onBody: { _ in
                    usleep(200)
                    return .more
                })
                _ = transport.get(server.url(), witness)
                try await witness.end(.finished)
                let growth = try ProcessFigures().peak - before.peak
                try expect(growth < 32 << 10, "\(growth) KiB more for 64 MiB")
            }
        },
        TransportPromise(
            "flat-full", "while it is full 100 MiB that wait at the server cost nothing", needs: .backpressure,
            isProcessWide: true
        ) { subject in
            try await with(subject, .bytes(100 << 20)) { transport, server in
                let before = try ProcessFigures()
                let witness = Witness(onBody: { _ in .full })
                let exchange = transport.get(server.url(), witness)
                await witness.testimony.until { $0.fulls == 1 }
                for _ in 0..<200 { try await passTime(transport, server) }
                let growth = try ProcessFigures().memory - before.memory
                try expect(growth < 16 << 10, "\(growth) KiB more")
                exchange.cancel()
                try await witness.end(.cancelled)
            }
        },
        TransportPromise("slow", "a handler that blocks holds up no other exchange", needs: .independent) { subject in
            let gate = BlockingGate()
            try await with(subject, .bytes(1000)) { transport, server in
                let blocked = Witness(onBody: { _ in
                    gate.block(seconds: 2)
                    return .more
                })
                _ = transport.get(server.url(), blocked)
                await gate.isBlocking.until { $0 }
                try await passTime(transport, server)
                let wasBlocked = gate.isBlocking.value
                gate.open()
                try await blocked.end(.finished)
                try expect(wasBlocked, "the other exchange waited for the handler")
            }
        },
    ]
}

/// Where a handler blocks its thread.
private final class BlockingGate: Sendable {
    let isBlocking = Watched(false)
    private let semaphore = DispatchSemaphore(value: 0)

    func open() { semaphore.signal() }

    /// Returns when it is opened, and at the latest after so long.
    func block(seconds: Int) {
        isBlocking.change { $0 = true }
        _ = semaphore.wait(timeout: .now() + .seconds(seconds))
        isBlocking.change { $0 = false }
    }
}
