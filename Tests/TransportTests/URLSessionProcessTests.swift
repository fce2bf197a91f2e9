#if URLSession
import FoundationEssentials
import Glibc
import Synchronization
import Testing
import WhirlCore
import WhirlLoopback
import WhirlURLSession

/// What needs a process of its own: to be measured alone, or to die alone.
@Suite("URLSession: in a process of its own", .serialized, .timeLimit(.minutes(2)))
struct URLSessionProcessTests {
    @Test("a handler slower than the server is felt by the server: memory grows by less than 32 MB over 64 MB")
    func slowHandler() async {
        await #expect(processExitsWith: .success) {
            let server = try LoopbackServer(.bytes(64 << 20))
            let transport = URLSessionTransport()
            let warm = URLSessionRecorder(onBody: { $0.bodyCalls < 100 ? .more : .stop })
            _ = transport.start(ExchangeRequest(url: server.url()), warm)
            await warm.ended()
            let before = try peakMemory()
            let recorder = URLSessionRecorder(onBody: { _ in
                usleep(200)
                return .more
            })
            _ = transport.start(ExchangeRequest(url: server.url()), recorder)
            let record = await recorder.ended()
            #expect(record.received == 64 << 20)
            #expect(record.isIntact)
            let growth = try peakMemory() - before
            #expect(growth < 32 << 20)
            withExtendedLifetime(transport) {}
        }
    }

    @Test("a redirect that arrives while its exchange is cancelled does not take the process down")
    func redirectRacesCancel() async {
        await #expect(processExitsWith: .success) {
            let server = try LoopbackServer(.redirect(to: "/elsewhere"))
            let transport = URLSessionTransport()
            for _ in 0..<150 {
                await withTaskGroup { group in
                    for number in 0..<20 {
                        group.addTask {
                            let recorder = URLSessionRecorder()
                            let exchange = transport.start(ExchangeRequest(url: server.url()), recorder)
                            usleep(useconds_t(number * 50))
                            exchange.cancel()
                            await recorder.ended()
                        }
                    }
                }
            }
            withExtendedLifetime(transport) {}
        }
    }
}

/// The most memory this process has had so far, in bytes; `getrusage` would count its parent's too.
private func peakMemory() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try #require(Int(line.filter(\.isNumber))) * 1024
}
#endif
