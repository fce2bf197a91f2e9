import Testing

@testable import WhirlCore

/// Every move, by name, with values that change something where that can be.
private let moves: [(name: String, move: TaskMove)] = [
    ("resume", .resume), ("suspend", .suspend(reason: "user")), ("cancel", .cancel), ("attempt", .attempt(offset: 3)),
    ("redirect", .redirect(status: 302, url: "http://b/")),
    ("report", .report(received: 7, total: 9, phase: .receiving)),
    ("fewer", .report(received: 2, total: nil, phase: .receiving)), ("phase", .phase(.verifying)),
    ("retry", .retry(delay: 1, error: TransferError(.reset, "lost"))),
    ("restart", .restart(offset: 1, reason: "changed")), ("complete", .end(.done)), ("fail", .end(.lost)),
]

private func move(_ name: String) throws -> TaskMove { try #require(moves.first { $0.name == name }?.move) }

/// A snapshot in each of the four states.
private func snapshot(in state: TaskState) -> TaskSnapshot {
    var snapshot = TaskSnapshot()
    switch state {
    case .suspended: break
    case .running: _ = snapshot.apply(.resume)
    case .canceling: _ = snapshot.apply(.cancel)
    case .completed: _ = snapshot.apply(.end(.done))
    }
    return snapshot
}

@Suite("The state machine") struct TaskSnapshotTests {
    @Test("A new task is suspended, queued, and has seen nothing")
    func new() {
        let new = TaskSnapshot()
        #expect(new.state == .suspended && new.phase == .queued && new.outcome == nil)
        #expect(new.ordinal == 0 && new.attempt == 0 && new.offset == 0)
        #expect(new.progress == TransferProgress())
    }

    @Test(
        "The only legal moves between states; every other command is a no-op",
        arguments: [
            ("resume", TaskState.suspended, TaskState.running), ("resume", .running, nil), ("resume", .canceling, nil),
            ("resume", .completed, nil), ("suspend", .suspended, nil), ("suspend", .running, .suspended),
            ("suspend", .canceling, nil), ("suspend", .completed, nil), ("cancel", .suspended, .canceling),
            ("cancel", .running, .canceling), ("cancel", .canceling, nil), ("cancel", .completed, nil),
            ("complete", .suspended, .completed), ("complete", .running, .completed),
            ("complete", .canceling, .completed), ("complete", .completed, nil), ("fail", .suspended, .completed),
            ("fail", .running, .completed), ("fail", .canceling, .completed), ("fail", .completed, nil),
        ] as [(String, TaskState, TaskState?)])
    func legalMoves(name: String, from: TaskState, to: TaskState?) throws {
        let before = snapshot(in: from)
        var after = before
        let event = after.apply(try move(name))
        #expect(after.state == to ?? from)
        #expect((event == nil) == (to == nil))
        if to == nil { #expect(after == before) }
    }

    @Test("Reports and what a task is at change no state")
    func reportsChangeNoState() throws {
        for state in [TaskState.suspended, .running, .canceling] {
            for name in ["attempt", "redirect", "report", "phase", "retry", "restart"] {
                var after = snapshot(in: state)
                #expect(after.apply(try move(name)) != nil, "\(name) in \(state)")
                #expect(after.state == state)
                #expect(after.outcome == nil)
            }
        }
    }

    @Test("Each move makes its event")
    func events() throws {
        let expected: [(String, TaskEvent)] = [
            ("resume", .resumed), ("attempt", .attempt), ("redirect", .redirected(status: 302, url: "http://b/")),
            ("report", .progress), ("phase", .progress), ("restart", .restarted(reason: "changed")),
            ("retry", .retrying(delay: 1, error: TransferError(.reset, "lost"))),
            ("suspend", .suspended(reason: "user")), ("cancel", .canceling), ("fail", .ended(.lost)),
        ]
        var snapshot = TaskSnapshot()
        for (name, event) in expected { #expect(snapshot.apply(try move(name)) == event) }
    }

    @Test("The phase goes with the state: connecting, what is reported, backoff, paused")
    func phases() {
        var snapshot = TaskSnapshot()
        func phase(after move: TaskMove) -> TaskPhase {
            _ = snapshot.apply(move)
            return snapshot.phase
        }
        #expect(phase(after: .phase(.paused)) == .paused)
        #expect(phase(after: .resume) == .connecting)
        #expect(phase(after: .phase(.waiting)) == .waiting)
        #expect(phase(after: .report(received: 1, total: nil, phase: .receiving)) == .receiving)
        #expect(phase(after: .retry(delay: 1, error: TransferError(.reset, "lost"))) == .backoff)
        #expect(phase(after: .suspend(reason: "user")) == .paused)
        #expect(phase(after: .report(received: 2, total: nil, phase: .receiving)) == .paused)
        #expect(snapshot.progress.received == 2)
        #expect(phase(after: .retry(delay: 1, error: TransferError(.reset, "lost"))) == .paused)
    }

    @Test("A report that says nothing new makes no event")
    func nothingNew() {
        var snapshot = snapshot(in: .running)
        #expect(snapshot.apply(.report(received: 5, total: 9, phase: .receiving)) == .progress)
        #expect(snapshot.apply(.report(received: 5, total: 9, phase: .receiving)) == nil)
        #expect(snapshot.apply(.phase(.receiving)) == nil)
        #expect(snapshot.apply(.report(received: 4, total: 9, phase: .receiving)) == nil)
        #expect(snapshot.apply(.report(received: 5, total: 10, phase: .receiving)) == .progress)
        #expect(snapshot.ordinal == 1)
    }

    @Test("Success makes the progress whole; every other end leaves it")
    func ends() {
        for outcome in [TaskOutcome.done, .lost, .ended, .skipped(reason: "exists")] {
            var snapshot = snapshot(in: .running)
            _ = snapshot.apply(.report(received: 5, total: 9, phase: .receiving))
            #expect(snapshot.apply(.end(outcome)) == .ended(outcome))
            #expect(snapshot.outcome == outcome)
            #expect(snapshot.progress.fraction == (outcome == .done ? 1 : 5.0 / 9))
            #expect(snapshot.progress.total == (outcome == .done ? 5 : 9))
        }
    }

    @Test("After every sequence of up to four moves: no illegal step, no lost event, one end, no fall unannounced")
    func everySequence() {
        var faults: Set<String> = []
        var visited = 0
        func visit(_ before: TaskSnapshot, _ depth: Int) {
            for (name, move) in moves {
                var after = before
                let event = after.apply(move)
                visited += 1
                for fault in Self.faults(before, after, event) { faults.insert("\(name): \(fault)") }
                if depth > 1 { visit(after, depth - 1) }
            }
        }
        visit(TaskSnapshot(), 4)
        #expect(faults == [])
        #expect(visited == 12 + 144 + 1728 + 20736)
    }

    private static let steps: Set<[TaskState]> = [
        [.suspended, .running], [.running, .suspended], [.suspended, .canceling], [.running, .canceling],
        [.suspended, .completed], [.running, .completed], [.canceling, .completed],
    ]

    private static func faults(_ before: TaskSnapshot, _ after: TaskSnapshot, _ event: TaskEvent?) -> [String] {
        var faults: [String] = []
        func check(_ holds: Bool, _ fault: String) { if !holds { faults.append(fault) } }
        check((event == nil) == (before == after), "an event exactly when something changed")
        check(before.state == after.state || steps.contains([before.state, after.state]), "an illegal step")
        check(before.state != .completed || event == nil, "something after the end")
        check((after.state == .completed) == (after.outcome != nil), "an outcome exactly at the end")
        let isCounted = event != nil && event != .progress
        check(after.ordinal == before.ordinal + (isCounted ? 1 : 0), "a wrong ordinal")
        if case .restarted = event {
        } else {
            check(after.progress.received >= before.progress.received, "a fall")
        }
        check(after.progress.fraction.map { (0...1).contains($0) } ?? true, "a fraction out of range")
        check(after.progress.isComplete == (after.outcome == .done), "complete without success")
        return faults
    }
}
