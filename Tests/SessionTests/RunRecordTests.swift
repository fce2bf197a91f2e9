import Testing
import WhirlCore
import WhirlInMemory
import WhirlLoopback
import WhirlSession

@Suite("Records of a run") struct RunRecordTests {
    @Test("of a task: created, resumed, attempt, exact progress, completed")
    func order() async throws {
        let scene = try Scene { _, _ in [.phase(.waiting), .whole(5), .body([1, 2]), .body([3, 4, 5])] }
        let task = try scene.add()
        scene.transport.run()
        _ = await scene.session.finish()
        let words = scene.recorder.records.map(\.word)
        #expect(words == ["run", "created", "resumed", "attempt", "progress", "ended", "end"])
        let updates = scene.recorder.updates(of: task.life.id)
        let progress = try #require(updates.last { $0.event == .progress })
        #expect(progress.snapshot.progress == TransferProgress(received: 5, total: 5))
        #expect(updates.last?.snapshot.progress.isComplete == true)
    }

    @Test("ten pieces 150 ms apart make at least five progress events, the last one exact")
    func progress() async throws {
        let latches = (0..<10).map { _ in Latch() }
        let scene = try Scene { _, _ in [.whole(100)] + latches.flatMap { [.wait($0), .body([UInt8](0..<10))] } }
        let task = try scene.add()
        scene.transport.run()
        for latch in latches {
            scene.clock.advance(by: 0.15)
            latch.open()
            scene.transport.run()
        }
        _ = await scene.session.finish()
        let received = scene.recorder.updates(of: task.life.id)
            .filter { $0.event == .progress }.map(\.snapshot.progress.received)
        #expect(Set(received).count >= 5 && received == received.sorted() && received.last == 100)
    }

    @Test("times are those of the clock, from the run's beginning")
    func times() async throws {
        let scene = try Scene { _, _ in .file([1]) }
        scene.clock.advance(by: 2.5)
        try scene.add()
        scene.transport.run()
        _ = await scene.session.finish()
        let (first, last) = (try #require(scene.recorder.records.first), try #require(scene.recorder.records.last))
        #expect(first.elapsed == 0 && last.elapsed == 2.5 && last.time - first.time == 2_500_000)
    }

    @Test("frontends are opened in order, and when one can't be opened the others are closed and the session throws")
    func opening() throws {
        let frontends = [Recorder(), Recorder(), Recorder(refusal: TransferError(.usage, "no")), Recorder()]
        let transport = ScriptedTransport(.stepped) { _, _ in [] }
        #expect(throws: TransferError(.usage, "no")) {
            try Session(transport: transport, frontends: frontends, clock: ManualClock())
        }
        #expect(frontends.map(\.opens) == [1, 1, 1, 0] && frontends.map(\.closes) == [1, 1, 0, 0])
        #expect(frontends.allSatisfy { $0.records.isEmpty })
    }

    @Test("every frontend is given run first and end last, once, and is closed once after it")
    func ends() async throws {
        let other = Recorder()
        let scene = try Scene(frontends: [other]) { _, number in number % 2 == 0 ? .file([1]) : .status(500) }
        for number in 0..<10 { try scene.add("/\(number)") }
        scene.transport.run()
        _ = await scene.session.finish()
        for frontend in [scene.recorder, other] {
            let words = frontend.records.map(\.word)
            #expect(words.first == "run" && words.last == "end")
            #expect(words.count { $0 == "run" } == 1 && words.count { $0 == "end" } == 1 && frontend.closes == 1)
            #expect(frontend.followed.count == 10)
        }
    }

    @Test("a task is followed after created and before resumed")
    func follows() async throws {
        let scene = try Scene(configure: { $0.jobs = 1 }) { _, _ in [.wait(Latch())] }
        let (first, second) = (try scene.add("/a"), try scene.add("/b"))
        #expect(scene.recorder.followed.map(\.life.id) == [first.life.id])
        first.cancel()
        #expect(scene.recorder.followed.map(\.life.id) == [first.life.id, second.life.id])
        second.cancel()
        scene.transport.run()
        _ = await scene.session.finish()
    }

    @Test("no secret is in any record, however its URL is met")
    func secrets() async throws {
        let scene = try Scene { request, _ in
            switch request.path.prefix(2) {
            case "/r": .redirect("http://user:hunter2@other.test/x?token=hunter2&a=b")
            case "/l": .redirect("http://h.test/l?key=hunter2")
            case "/s": .redirect("ftp://user:hunter2@h.test/?sig=hunter2")
            case "/f": .status(403)
            case "/t": [.phase(.waiting), .wait(Latch())]
            default: .file([1])
            }
        }
        for path in ["r", "l", "s", "f", "t", "x"] {
            try scene.session.add(
                TransferRequest(
                    "http://user:hunter2@h.test/\(path)?token=hunter2&Signature=hunter2#hunter2",
                    to: .path(path)))
        }
        scene.session.addAnyway(TransferRequest("gopher://user:hunter2@h.test/?password=hunter2"))
        scene.session.addAnyway(TransferRequest("http://user:hunter2@h.test:x/?password=hunter2"))
        scene.session.addAnyway(TransferRequest("http://user:hunter2@h.test/?auth=hunter2", to: .path("x")))
        scene.transport.run()
        scene.pass(100)
        _ = await scene.session.finish()
        for record in scene.recorder.records {
            let text = "\(record)"
            #expect(!text.contains("hunter2"), "\(text)")
        }
    }
}

extension RunRecord {
    /// The kind of event, for comparing orders.
    var word: String {
        switch event {
        case .run: "run"
        case .created: "created"
        case .planned: "planned"
        case .warning: "warning"
        case .answer: "answer"
        case .end: "end"
        case .task(_, let update):
            switch update.event {
            case .resumed: "resumed"
            case .attempt: "attempt"
            case .redirected: "redirected"
            case .progress: "progress"
            case .suspended: "suspended"
            case .canceling: "canceling"
            case .retrying: "retrying"
            case .restarted: "restarted"
            case .ended: "ended"
            case nil: "nothing"
            }
        }
    }
}
