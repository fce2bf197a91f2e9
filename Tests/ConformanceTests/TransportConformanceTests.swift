import Testing
import WhirlConformance
import WhirlCore

#if Curl
import WhirlCurl
#endif
#if URLSession
import WhirlURLSession
#endif

private let subjects = curl + urlSession

#if Curl
private let curl = [TransportSubject(.curl)]
#else
private let curl: [TransportSubject] = []
#endif

#if URLSession
private let urlSession = [TransportSubject(.urlSession)]
#else
private let urlSession: [TransportSubject] = []
#endif

@Suite("Every transport", .timeLimit(.minutes(1)), .serialized) struct TransportConformanceTests {
    @Test("there is a transport to judge")
    func subjectsExist() { #expect(!subjects.isEmpty) }

    @Test("ids are used once")
    func idsAreUnique() {
        #expect(Set(TransportPromises.all.map(\.id)).count == TransportPromises.all.count)
    }

    @Test("keeps what the seam promises", arguments: subjects, TransportPromises.all)
    func keeps(_ subject: TransportSubject, _ promise: Promise<TransportSubject>) async throws {
        let missing = promise.needs.subtracting(subject.capabilities)
        if !missing.isEmpty { try Test.cancel("\(subject.name) can't: \(missing)") }
        do {
            try await promise.check(subject)
        } catch let broken as BrokenPromise {
            let location = SourceLocation(
                fileID: broken.fileID, filePath: broken.filePath, line: broken.line, column: 1)
            Issue.record("\(promise.sentence): \(broken.what)", sourceLocation: location)
        }
    }
}
