import Testing
import WhirlConformance
import WhirlCore

@Suite("Every task", .timeLimit(.minutes(2)), .serialized) struct TaskConformanceTests {
    @Test("ids are used once")
    func idsAreUnique() {
        #expect(Set(TaskPromises.all.map(\.id)).count == TaskPromises.all.count)
    }

    @Test("keeps what it promises, over every transport", arguments: subjects, TaskPromises.all)
    func keeps(_ subject: TransportSubject, _ promise: Promise<TransportSubject>) async throws {
        try skipUnlessApplies(promise, subject)
        try await judge(promise, subject)
    }
}
