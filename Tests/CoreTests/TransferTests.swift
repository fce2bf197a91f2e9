import Testing
import WhirlCore
import WhirlInMemory

@Suite("A task over the scripted transport", .timeLimit(.minutes(5))) struct TransferTests {
    private static let head = ResponseHead(status: 200, fields: [HTTPField("Content-Length", "6")])

    @Test(
        "B17: a download emits resumed, suspended, completed; the indicator follows, the bytes are whole",
        arguments: [ScriptedTransport.Delivery.thread, .inline, .stepped])
    func lifeOfATask(delivery: ScriptedTransport.Delivery) async {
        let own = Locked<ExchangeTask?>(nil)
        let transport = ScriptedTransport(delivery) { _, _ in
            [
                .phase(.connecting), .phase(.waiting), .head(Self.head), .body([1, 2, 3]),
                .call { own.value?.suspend() }, .body([4, 5, 6]), .end(.finished),
            ]
        }
        let task = ExchangeTask(transport), bar = Bar(), witness = Witness()
        own.value = task
        bar.setAnimating(withStateOf: task)
        let observation = task.life.observe { witness.note($0) }
        task.resume()
        transport.run()
        await witness.updates.wait { $0.last?.event == .suspended(reason: "user") }
        #expect(bar.calls.last == .stop)
        #expect(task.received.all == [[1, 2, 3]])
        task.resume()
        transport.run()
        await witness.end()
        #expect(
            witness.updates.all.compactMap(\.event).filter { $0 != .progress } == [
                .resumed, .attempt, .suspended(reason: "user"), .resumed, .ended(.done),
            ])
        #expect(witness.faults == [])
        #expect(task.received.all == [[1, 2, 3], [4, 5, 6]])
        let steps = bar.calls.all.filter { $0.progress == nil }
        #expect(steps == [.stop, .start, .stop, .start, .stop])
        #expect(bar.shown.last?.fraction == 1)
        #expect(bar.shown.map(\.received) == bar.shown.map(\.received).sorted())
        #expect(task.core.observationCount == 0)
        own.value = nil
        withExtendedLifetime(observation) {}
    }

    @Test(
        "B14: a failure and a cancel of the exchange stop the indicator, each with one terminal event",
        arguments: [true, false])
    func ends(fails: Bool) async {
        let error = TransferError(.reset, "the connection was lost", native: 104)
        let own = Locked<ExchangeTask?>(nil)
        let transport = ScriptedTransport(.thread) { _, _ in
            [
                .head(Self.head), .body([1]), .call { if !fails { own.value?.cancel() } },
                .end(fails ? .failed(error) : .finished),
            ]
        }
        let task = ExchangeTask(transport), bar = Bar(), witness = Witness()
        own.value = task
        bar.setAnimating(withStateOf: task)
        let observation = task.life.observe { witness.note($0) }
        task.resume()
        await witness.end()
        #expect(witness.last?.outcome == (fails ? .failed(error) : .ended))
        #expect(witness.faults == [])
        #expect(bar.calls.last == .stop)
        #expect(bar.shown.last == TransferProgress(received: 1, total: 6))
        own.value = nil
        withExtendedLifetime(observation) {}
    }
}
