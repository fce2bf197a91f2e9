import Testing
import WhirlConformance
import WhirlCore

@Suite("Every transport", .timeLimit(.minutes(2)), .serialized) struct TransportConformanceTests {
    @Test("there is a transport to judge")
    func subjectsExist() { #expect(!subjects.isEmpty) }

    @Test("ids are used once")
    func idsAreUnique() {
        #expect(Set(TransportPromises.all.map(\.id)).count == TransportPromises.all.count)
    }

    @Test("keeps what the seam promises", arguments: subjects, TransportPromises.all.filter { !$0.isProcessWide })
    func keeps(_ subject: TransportSubject, _ promise: Promise<TransportSubject>) async throws {
        try skipUnlessApplies(promise, subject)
        try await judge(promise, subject)
    }

    @Test(
        "keeps it in a process of its own too", arguments: subjects, TransportPromises.all.filter(\.isProcessWide))
    func keepsAlone(_ subject: TransportSubject, _ promise: Promise<TransportSubject>) async throws {
        try skipUnlessApplies(promise, subject)
        let (name, id) = (subject.name, promise.id)
        await #expect(processExitsWith: .success) { [name = name as String, id = id as String] in
            let subject = try #require(subjects.first { $0.name == name })
            let promise = try #require(TransportPromises.all.first { $0.id == id })
            try await judge(promise, subject)
        }
    }
}
