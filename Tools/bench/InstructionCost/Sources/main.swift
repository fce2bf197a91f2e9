// Does a number of things on this thread, to be counted by callgrind:
//
//   instruction-cost files COUNT    transfers over a session with a board, from memory to /dev/null
//   instruction-cost events COUNT   progress of one task, told to a board through an indicator and an observation

import WhirlBoard
import WhirlCore
import WhirlInMemory
import WhirlSession

let words = CommandLine.arguments
guard words.count == 3, let count = Int(words[2]) else { fatalError("usage: instruction-cost files|events COUNT") }

switch words[1] {
case "files": try await transfer(count)
case "events": tell(count)
default: fatalError("'\(words[1])' is neither files nor events")
}

func transfer(_ count: Int) async throws {
    let body = [UInt8](repeating: 0, count: 4096)
    let script: [Step] = [.whole(body.count), .body(body), .end(.finished)]
    let transport = ScriptedTransport(.inline) { _, _ in script }
    var configuration = SessionConfiguration()
    configuration.jobs = 50
    configuration.durability = .none
    let session = try Session(
        transport: transport, configuration: configuration, frontends: [BoardFrontend()], clock: StoppedClock())
    for number in 0..<count {
        try session.add(TransferRequest("http://host.example/a/folder/file-\(number).bin", to: .path("/dev/null")))
    }
    let summary = await session.finish().summary
    guard summary.completed == count else { fatalError("\(summary)") }
}

func tell(_ count: Int) {
    let frontend = BoardFrontend()
    let task = BareTask()
    let description = TaskDescription(url: "http://host.example/file", destination: "file", key: "")
    frontend.receive(RunRecord(elapsed: 0, time: 0, event: .created(task.life.id, description)))
    let observation = task.life.observe { update in
        guard update.event != nil else { return }
        frontend.receive(RunRecord(elapsed: 0, time: 0, event: .task(task.life.id, update)))
    }
    frontend.follow(task)
    task.core.resume()
    task.core.beginAttempt()
    for number in 0..<count { task.core.report(received: Int64(number) + 1, total: nil) }
    withExtendedLifetime(observation) {}
}
