import Dispatch
import Synchronization
import Testing
import WhirlCore
import WhirlInMemory
import WhirlLoopback

@testable import WhirlSession

@Suite("Storms", .timeLimit(.minutes(1))) struct StormTests {
    private static let count = 2000
    private static let body = [UInt8](repeating: 5, count: 1000)

    @Test("commands from all sides, whatever the answers: one terminal event each, and nothing is left over")
    func storm() async throws {
        let animations = Animations()
        let scene = try Scene(.thread, frontends: [animations]) { Self.script($0, $1) }
        let tasks = try (0..<Self.count).map { try scene.add("/\($0)") }
        let isOver = Atomic<Bool>(false)
        let ticker = Thread { while !isOver.load(ordering: .relaxed) { scene.clock.advance(by: 0.05) } }
        let commanders = (0..<3).map { _ in Thread { Self.command(tasks) } }
        for each in commanders { await each.end() }
        for task in tasks { task.resume() }
        let (summary, _) = await scene.session.finish()
        isOver.store(true, ordering: .relaxed)
        await ticker.end()

        let outcomes = tasks.compactMap(\.life.snapshot.outcome)
        #expect(summary.completed == outcomes.count(where: \.isCompleted) && summary.completed > 0)
        #expect(summary.failed == outcomes.count { $0.error != nil } && summary.failed > 0)
        #expect(summary.cancelled == outcomes.count { $0 == .cancelled(reason: "user") } && summary.cancelled > 0)
        #expect(summary.completed + summary.failed + summary.cancelled == Self.count)
        #expect(scene.transport.record.running == 0)
        let (active, held, live) = scene.session.state.withLock { ($0.queue.active, $0.held, $0.live) }
        #expect(active == 0 && held == 0 && live == 0)
        #expect(animations.running == 0 && animations.count > 0)
        Self.expectOrder(scene.recorder.records)
        Self.expectFiles(scene.folder, tasks)
    }

    /// One of many answers, by chance.
    private static func script(_ request: ExchangeRequest, _ number: Int) -> [Step] {
        if let range = request["Range"], let offset = Int(range.dropFirst(6).dropLast()) {
            return [.rest(from: offset, of: body.count), .body(Array(body[offset...]))]
        }
        let parts: [Step] = [.phase(.waiting), .whole(body.count)] + (0..<10).map { _ in .body(Array(body[..<100])) }
        switch Int.random(in: 0..<10) {
        case 0: return .status(404)
        case 1: return .failure(TransferError(.reset, "gone"))
        case 2: return Array(parts.dropLast(3))
        case 3 where !request.path.hasSuffix("x"): return .redirect("\(request.url)x")
        case 4: return .file(body, etag: nil)
        default: return parts
        }
    }

    private static func command(_ tasks: [any TransferTask]) {
        for _ in 0..<20_000 {
            guard let task = tasks.randomElement() else { return }
            switch Int.random(in: 0..<100) {
            case 0..<50: task.suspend()
            case 50..<99: task.resume()
            default: task.cancel()
            }
        }
    }

    /// Of each task: created first, one terminal event, last; `resumed` and `suspended` take turns; no number goes back
    /// without `restarted`.
    private static func expectOrder(_ records: [RunRecord]) {
        var lives: [TaskID: Life] = [:]
        for record in records {
            switch record.event {
            case .created(let id, _):
                #expect(lives[id] == nil)
                lives[id] = Life()
            case .task(let id, let update):
                let fault = lives[id, default: Life(isOver: true)].take(update)
                #expect(fault == nil)
            default: break
            }
        }
        #expect(lives.count == count && lives.values.allSatisfy(\.isOver))
    }

    /// Whole files under their names; `.part` only of those that were cancelled or failed.
    private static func expectFiles(_ folder: Folder, _ tasks: [any TransferTask]) {
        var names: Set<String> = []
        for (number, task) in tasks.enumerated() {
            if task.life.snapshot.outcome?.isCompleted == true {
                names.insert("\(number)")
                #expect(folder.read("\(number)") == body)
                #expect(task.life.snapshot.progress.received == Int64(body.count))
            } else {
                names.insert("\(number).part")
                // A cancel can come when the file has its name already.
                if task.life.snapshot.outcome == .cancelled(reason: "user") { names.insert("\(number)") }
            }
        }
        let strangers = Set(folder.names).subtracting(names)
        #expect(strangers.isEmpty)
        for name in folder.names where !name.hasSuffix(".part") { #expect(folder.read(name) == body) }
    }
}

/// What has been seen of one task.
private struct Life {
    var isOver = false
    private var isRunning = false
    private var received: Int64 = 0

    init(isOver: Bool = false) { self.isOver = isOver }

    /// What is wrong with the next update; nil: nothing.
    mutating func take(_ update: TaskUpdate) -> String? {
        guard !isOver else { return "an event outside of its life" }
        switch update.event {
        case .resumed:
            guard !isRunning else { return "resumed twice" }
            isRunning = true
        case .suspended:
            guard isRunning else { return "suspended twice" }
            isRunning = false
        case .restarted: received = 0
        case .ended: isOver = true
        default: break
        }
        guard update.snapshot.progress.received >= received else { return "a number went back" }
        received = update.snapshot.progress.received
        return nil
    }
}

/// A frontend that counts which of its indicators are animating.
private final class Animations: Frontend {
    private let spinners = Mutex<[Spinner]>([])
    private let animating = Mutex(0)

    var running: Int { animating.withLock { $0 } }
    var count: Int { spinners.withLock { $0.count } }

    func open(_ commands: @escaping @Sendable (RunCommand) -> Void) {}
    func follow(_ task: any TransferTask) {
        let spinner = Spinner { [self] change in animating.withLock { $0 += change } }
        spinners.withLock { $0.append(spinner) }
        spinner.setAnimating(withStateOf: task)
    }
    func receive(_ record: RunRecord) {}
    func close() -> FrontendTrouble? { nil }
}

private final class Spinner: ActivityIndicator, Sendable {
    let binding = IndicatorBinding()
    private let isAnimating = Mutex(false)
    private let count: @Sendable (Int) -> Void

    init(_ count: @escaping @Sendable (Int) -> Void) { self.count = count }

    func startAnimating() { set(true) }
    func stopAnimating() { set(false) }

    private func set(_ animates: Bool) {
        let changes = isAnimating.withLock { isAnimating in
            defer { isAnimating = animates }
            return isAnimating != animates
        }
        if changes { count(animates ? 1 : -1) }
    }
}

/// A thread whose end can be awaited: commands must come from outside of Swift's pool.
private struct Thread {
    private let ended: AsyncStream<Void>

    init(_ body: @escaping @Sendable () -> Void) {
        let (ended, ending) = AsyncStream.makeStream(of: Void.self)
        self.ended = ended
        DispatchQueue(label: "whirl.test").async {
            body()
            ending.finish()
        }
    }

    func end() async { for await _ in ended {} }
}
