#if URLSession
import Synchronization
import Testing
import WhirlCore
import WhirlLoopback
import WhirlURLSession

/// Who holds an exchange that its own handler controls.
private final class Handle: Sendable {
    private let exchange = Mutex<(any Exchange)?>(nil)
    var value: (any Exchange)? {
        get { exchange.withLock { $0 } }
        set { exchange.withLock { $0 = newValue } }
    }
}

/// Something that happens once and can be awaited.
private final class Event: Sendable {
    private let stream = AsyncStream<Void>.makeStream()
    func happen() { stream.continuation.finish() }
    func wait() async { for await _ in stream.stream {} }
}

// One after the other: a blocked callback blocks FoundationNetworking's one queue.
@Suite("URLSession: cancel, full and release", .serialized, .timeLimit(.minutes(1)))
struct URLSessionControlTests {
    let transport = URLSessionTransport()

    @Test("cancel in the head or in the body: nothing but the end follows", arguments: [0, 1, 3])
    func cancelInside(bodyCalls: Int) async throws {
        let gate = Gate()
        let server = try LoopbackServer(
            .script([.wait(gate), .head("200 OK"), .body(BodyPattern(), 0..<(1 << 40), chunked: false, .full)]))
        let handle = Handle()
        let recorder = URLSessionRecorder(
            onHead: { _ in
                if bodyCalls == 0 { handle.value?.cancel() }
                return .accept
            },
            onBody: { record in
                if record.bodyCalls == bodyCalls {
                    handle.value?.cancel()
                    handle.value?.cancel()
                }
                return .more
            })
        handle.value = transport.start(ExchangeRequest(url: server.url()), recorder)
        gate.open()
        await recorder.ended()
        await server.until { $0.openConnections == 0 }
        #expect(recorder.record.ends == [.cancelled])
        #expect(recorder.record.bodyCalls == bodyCalls)
        #expect(recorder.record.violations == 0)
    }

    @Test("the verdicts abort and stop end the exchange as cancelled, and the connection with it")
    func verdicts() async throws {
        let server = try LoopbackServer(.bytes(1 << 40))
        let aborting = URLSessionRecorder(onHead: { _ in .abort })
        let stopping = URLSessionRecorder(onBody: { $0.bodyCalls == 2 ? .stop : .more })
        for recorder in [aborting, stopping] {
            _ = transport.start(ExchangeRequest(url: server.url()), recorder)
            #expect(await recorder.ended().ends == [.cancelled])
            #expect(recorder.record.violations == 0)
        }
        await server.until { $0.openConnections == 0 }
        #expect(aborting.record.bodyCalls == 0)
        #expect(stopping.record.bodyCalls == 2)
    }

    @Test("cancel before the answer ends at once, and twice is once")
    func cancelBeforeAnswer() async throws {
        let server = try LoopbackServer(.silent)
        let recorder = URLSessionRecorder()
        let exchange = transport.start(ExchangeRequest(url: server.url()), recorder)
        await server.until { $0.requests.count == 1 }
        exchange.cancel()
        exchange.cancel()
        await recorder.ended()
        await server.until { $0.openConnections == 0 }
        exchange.cancel()
        exchange.unpause()
        exchange.pause()
        #expect(recorder.record.ends == [.cancelled])
        #expect(recorder.record.heads.isEmpty)
    }

    @Test("bytes that were not taken are given again after unpause, and no byte is lost or doubled")
    func full() async throws {
        let server = try LoopbackServer(.bytes(2_000_000))
        let handle = Handle()
        let refused = Event()
        let recorder = URLSessionRecorder(onBody: { record in
            guard record.bodyCalls == 2 else { return .more }
            refused.happen()
            return .full
        })
        let exchange = transport.start(ExchangeRequest(url: server.url()), recorder)
        handle.value = exchange
        await refused.wait()
        exchange.unpause()
        let record = await recorder.ended()
        #expect(record.ends == [.finished])
        #expect(record.received == 2_000_000)
        #expect(record.isIntact)
        #expect(record.violations == 0)
    }

    @Test("unpause that comes before the refusal is known is not lost")
    func unpauseInside() async throws {
        let gate = Gate()
        let server = try LoopbackServer(
            .script([
                .wait(gate), .head("200 OK", ["Content-Length: 500000"]),
                .body(BodyPattern(), 0..<500_000, chunked: false, .full),
            ]))
        let handle = Handle()
        let recorder = URLSessionRecorder(onBody: { record in
            guard record.bodyCalls % 2 == 1 else { return .more }
            handle.value?.unpause()
            return .full
        })
        handle.value = transport.start(ExchangeRequest(url: server.url()), recorder)
        gate.open()
        let record = await recorder.ended()
        #expect(record.received == 500_000)
        #expect(record.isIntact)
        #expect(record.ends == [.finished])
    }

    @Test("cancel while bytes are refused ends at once, and other exchanges go on")
    func cancelWhileFull() async throws {
        let server = try LoopbackServer(.bytes(2_000_000))
        let refused = Event()
        let recorder = URLSessionRecorder(onBody: { _ in
            refused.happen()
            return .full
        })
        let exchange = transport.start(ExchangeRequest(url: server.url()), recorder)
        await refused.wait()
        let other = URLSessionRecorder()
        let second = transport.start(ExchangeRequest(url: server.url()), other)
        exchange.cancel()
        #expect(await recorder.ended().ends == [.cancelled])
        #expect(recorder.record.bodyCalls == 1)
        #expect(await other.ended().received == 2_000_000)
        withExtendedLifetime(second) {}
    }

    @Test("releasing the transport ends what is under way as cancelled, also where bytes are refused")
    func release() async throws {
        let silent = try LoopbackServer(.silent)
        let server = try LoopbackServer(.bytes(2_000_000))
        let refused = Event()
        let recorders = [
            URLSessionRecorder(),
            URLSessionRecorder(onBody: { _ in
                refused.happen()
                return .full
            }),
            URLSessionRecorder(),
        ]
        do {
            let transport = URLSessionTransport()
            _ = transport.start(ExchangeRequest(url: silent.url()), recorders[0])
            await silent.until { $0.requests.count == 1 }
            _ = transport.start(ExchangeRequest(url: server.url()), recorders[1])
            await refused.wait()
            // This one waits for the callback that is held up, and with it all that is said to FoundationNetworking.
            _ = transport.start(ExchangeRequest(url: server.url()), recorders[2])
        }
        for recorder in recorders { #expect(await recorder.ended().ends == [.cancelled]) }
        await silent.until { $0.openConnections == 0 }
        await server.until { $0.openConnections == 0 }
        for recorder in recorders { #expect(recorder.record.violations == 0) }
    }

    @Test("after the end the handler is forgotten, though the exchange is still held")
    func forgets() async throws {
        let server = try LoopbackServer(.text("ok"))
        var recorder: URLSessionRecorder? = URLSessionRecorder()
        weak let forgotten = recorder
        let exchange = try transport.start(ExchangeRequest(url: server.url()), #require(recorder))
        await recorder?.ended()
        recorder = nil
        // The callback that gave the end may still be returning; the next exchange's comes after it on the same queue.
        let next = URLSessionRecorder()
        _ = transport.start(ExchangeRequest(url: server.url()), next)
        await next.ended()
        #expect(forgotten == nil)
        withExtendedLifetime(exchange) {}
    }

    @Test("500 exchanges, cancelled at every moment from two threads: each ends exactly once, and quietly")
    func storm() async throws {
        let server = try LoopbackServer { request in
            switch request.path {
            case "/silent": .silent
            case "/redirect": .bytes(100, status: "302 Found", fields: ["Location: /elsewhere"])
            case "/secret": .bytes(100, status: "401 Unauthorized", fields: ["WWW-Authenticate: Basic realm=x"])
            case "/short": .short(100_000, of: 1_000_000)
            default: .bytes(1 << 20)
            }
        }
        let urls = ["/bytes", "/redirect", "/secret", "/short"].map(server.url) + ["http://127.0.0.1:1/"]
        var ends: [ExchangeOutcome.Result] = []
        for _ in 0..<5 {
            let recorders = await withTaskGroup(of: URLSessionRecorder.self) { group in
                for number in 0..<100 {
                    let url = number % 20 == 19 ? server.url("/silent") : urls[number % urls.count]
                    group.addTask { await self.storm(url, cancelledAt: number / urls.count % 10) }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            for recorder in recorders {
                let record = recorder.record
                #expect(record.ends.count == 1)
                #expect(record.violations == 0)
                #expect(record.isIntact)
                ends += record.ends
            }
        }
        #expect(server.record.requests.allSatisfy { $0.path != "/elsewhere" })
        // The moments are spread over an exchange's whole life.
        #expect(ends.count { $0 == .finished } > 20)
        #expect(ends.count { $0 == .cancelled } > 20)
    }

    /// Starts an exchange and cancels it twice, from two threads.
    ///
    /// Moment 0 is at once, 1 to 4 are some turns of the scheduler later, 5 is in the head, 6 to 9 are in the body.
    private func storm(_ url: String, cancelledAt moment: Int) async -> URLSessionRecorder {
        let reached = Event()
        let recorder = URLSessionRecorder(
            onHead: { _ in
                if moment == 5 { reached.happen() }
                return .accept
            },
            onBody: { record in
                if record.bodyCalls == moment - 5 { reached.happen() }
                return .more
            }, onEnd: { reached.happen() })
        let exchange = transport.start(ExchangeRequest(url: url), recorder)
        if moment < 5 || url.hasSuffix("/silent") {
            for _ in 0..<(moment * moment * 40) { await Task.yield() }
        } else {
            await reached.wait()
        }
        async let other: Void = exchange.cancel()
        exchange.cancel()
        await other
        await recorder.ended()
        return recorder
    }
}
#endif
