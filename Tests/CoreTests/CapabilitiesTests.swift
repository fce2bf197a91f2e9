import Testing
import WhirlCore

@Suite("Capabilities") struct CapabilitiesTests {
    private static let all: [(Capabilities, String)] = [
        (.pause, "pause"), (.backpressure, "backpressure"), (.phases, "phases"), (.timings, "timings"),
        (.rawBody, "raw-body"), (.http2, "http2"), (.independent, "independent"), (.robust, "robust"),
    ]

    @Test("Each has a bit and a word of its own", arguments: all)
    func words(capability: Capabilities, word: String) {
        #expect(capability.names == [word])
        #expect(capability.rawValue.nonzeroBitCount == 1)
        #expect("\(capability)" == word)
    }

    @Test("Together they are named in a fixed order, and there are no others")
    func order() {
        let every = Capabilities(Self.all.map(\.0).reversed())
        #expect(every.names == Self.all.map(\.1))
        #expect(Capabilities.allNames == Self.all.map(\.1))
        #expect(every.rawValue.nonzeroBitCount == Self.all.count)
        #expect(Capabilities([.http2, .pause]).description == "pause http2")
        #expect(Capabilities().names == [])
        #expect(Capabilities().description == "")
    }
}
