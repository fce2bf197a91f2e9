import Testing
import WhirlConformance
import WhirlCore

@Suite("A transport that is wrong", .timeLimit(.minutes(2))) struct WrongTransportTests {
    /// What each fault must break; nothing else may break.
    private static let expected: [WrongTransport.Fault: Set<String>] = [
        .dropsByte: [
            "body-length", "body-chunked", "body-close", "body-pieces", "body-raw", "body-cut", "trailers", "full",
            "full-last", "pause", "pause-early", "pause-storm", "pause-last-chunk", "many",
        ],
        .endsTwice: [
            "end-once", "cancel-waiting", "cancel-head", "cancel-body", "cancel-fast", "cancel-full", "cancel-paused",
            "cancel-last", "cancel-at-once", "cancel-resolving", "cancel-connecting", "cancel-inside", "cancel-storm",
        ],
        .tellsInformational: ["head-informational"],
        .forgetsCancel: [
            "cancel-waiting", "cancel-head", "cancel-body", "cancel-fast", "cancel-full", "cancel-paused",
            "cancel-last", "cancel-at-once", "cancel-connecting", "cancel-inside", "fault-stall", "fault-silent",
        ],
        .followsRedirects: ["head-redirects", "head-no-location"],
        .ignoresFull: ["full", "full-last", "full-alone"],
        .keepsHandler: ["forgets"],
    ]

    /// Work for a machine: judged for the faults that they would see.
    private static let storms: Set = ["cancel-storm", "many", "pause-storm", "full-alone", "chain", "hosts"]

    @Test("breaks the promises that speak of its fault, and no others", arguments: WrongTransport.Fault.allCases)
    func breaks(_ fault: WrongTransport.Fault) async throws {
        guard let good = subjects.first else { return }
        let wrong = TransportSubject("wrong", good.capabilities) { WrongTransport(try good.make(), fault) }
        var broken: [String: BrokenPromise] = [:]
        for promise in TransportPromises.all where !promise.isProcessWide {
            guard promise.needs.isSubset(of: wrong.capabilities) else { continue }
            if Self.storms.contains(promise.id), Self.expected[fault]?.contains(promise.id) == false { continue }
            do {
                try await promise.check(wrong, within: .seconds(20))
            } catch let error as BrokenPromise {
                broken[promise.id] = error
            }
        }
        // Where no name server answers soon, this one sees a cancel that is forgotten too.
        if fault == .forgetsCancel { broken["cancel-resolving"] = nil }
        let expected = Self.expected[fault] ?? []
        #expect(broken.filter { !expected.contains($0.key) }.map { "\($0): \($1)" } == [])
        #expect(expected.subtracting(broken.keys) == [])
    }
}
