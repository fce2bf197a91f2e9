import Testing
import WhirlConformance
import WhirlCore

@Suite("Every frontend", .timeLimit(.minutes(2))) struct FrontendConformanceTests {
    @Test("keeps what it promises", arguments: frontends, FrontendPromises.all)
    func keeps(_ subject: FrontendSubject, _ promise: Promise<FrontendSubject>) async throws {
        let (name, id) = (subject.name, promise.id)
        // A broken pipe or a dashboard concerns a process as a whole.
        await #expect(processExitsWith: .success) { [name = name as String, id = id as String] in
            let subject = try #require(frontends.first { $0.name == name })
            let promise = try #require(FrontendPromises.all.first { $0.id == id })
            try await judge(promise, subject)
        }
    }
}
