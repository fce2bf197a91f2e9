import Testing
import WhirlConformance
import WhirlCore
import WhirlLoopback

/// What a transport says that it can't do.
struct Limit: Sendable, CustomTestStringConvertible {
    let transport: String
    let capability: Capabilities

    var testDescription: String { "\(transport): \(capability)" }

    /// Those that a promise can show; HTTP/2 takes a server of its own, and both have it.
    static let all = subjects.flatMap { subject in
        Capabilities.allNames.indices.map { Capabilities(rawValue: 1 << $0) }
            .filter { !subject.capabilities.contains($0) && $0 != .robust && $0 != .http2 }
            .map { Limit(transport: subject.name, capability: $0) }
    }
}

@Suite("What a transport can't do", .serialized, .timeLimit(.minutes(2))) struct LimitTests {
    @Test("breaks a promise that takes it: it is not said too little", arguments: Limit.all)
    func isRight(_ limit: Limit) async throws {
        let (name, bits) = (limit.transport, limit.capability.rawValue)
        // An exchange that is held up here may hold up all others of the process.
        await #expect(processExitsWith: .success) { [name = name as String, bits = bits as UInt32] in
            let subject = try #require(subjects.first { $0.name == name })
            var isBroken = false
            for promise in TransportPromises.all where promise.needs.rawValue == bits && !isBroken {
                do {
                    try await promise.check(subject, within: .seconds(3))
                } catch is BrokenPromise {
                    isBroken = true
                }
            }
            #expect(isBroken)
        }
    }

    /// Where one of these lives, the toolchain has learned to: take the exception off the table in `Fault+All.swift`, and
    /// when none is left, let the transport claim to be robust.
    @Test("takes the process down on these answers, as seen with Swift 6.3.1", arguments: Deadly.all)
    func dies(_ deadly: Deadly) async throws {
        let (name, id) = (deadly.transport, deadly.fault)
        let result = await #expect(processExitsWith: .failure) { [name = name as String, id = id as String] in
            let subject = try #require(subjects.first { $0.name == name })
            let fault = try #require(Fault.all.first { $0.id == id })
            let server = try LoopbackServer(fault.route)
            let transport = try subject.make()
            let end = Watched(false)
            _ = transport.start(ExchangeRequest(url: server.url()), Listener { end.change { $0 = true } })
            _ = await end.until { $0 }
            withExtendedLifetime(transport) {}
        }
        if let result, case .exitCode = result.exitStatus {
            Issue.record("not by a signal but with \(result.exitStatus)")
        }
    }
}

/// A fault that a transport's process does not survive.
struct Deadly: Sendable, CustomTestStringConvertible {
    let transport: String
    let fault: String

    var testDescription: String { "\(transport): \(fault)" }

    static let all = subjects.flatMap { subject in
        Fault.all.filter { $0.ending(over: subject.name) == .dies }.map {
            Deadly(transport: subject.name, fault: $0.id)
        }
    }
}

private final class Listener: ExchangeHandler {
    private let onEnd: @Sendable () -> Void

    init(_ onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

    func head(_ head: ResponseHead) -> HeadVerdict { .accept }
    func body(_ bytes: borrowing RawSpan) -> BodyVerdict { .more }
    func end(_ outcome: ExchangeOutcome) { onEnd() }
}
