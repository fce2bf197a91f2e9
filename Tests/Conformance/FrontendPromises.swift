import WhirlCore
import WhirlLoopback
import WhirlSession

/// What must hold of every frontend.
public enum FrontendPromises {
    /// All of them.
    ///
    /// Ids and sentences stay; new ones are added.
    public static let all: [Promise<FrontendSubject>] = shown + undisturbed

    typealias FrontendPromise = Promise<FrontendSubject>

    private static let shown: [FrontendPromise] = [
        FrontendPromise("show-end", "the end of every task is shown, once") { subject in
            let play = try Play(subject.make(.works))
            for number in 0..<2 {
                let part = play.start("good-\(number).bin")
                part.core.report(received: 5, total: 10)
                part.core.end(.completed(TaskCompletion(status: 200)))
                play.start("bad-\(number).bin").core.end(.failed(TransferError(.http, "404 Not Found", status: 404)))
            }
            try expectEqual(play.end(), nil, "trouble")
            let output = String(decoding: play.show.output(), as: UTF8.self)
            for number in 0..<2 {
                try expectEqual(subject.count(output, "good-\(number).bin", false), 1, "ends of good-\(number).bin")
                try expectEqual(subject.count(output, "bad-\(number).bin", true), 1, "ends of bad-\(number).bin")
            }
        },
        FrontendPromise("show-often", "however often a task is started and stopped, its end is shown once") { subject in
            let play = try Play(subject.make(.works))
            let part = play.start("one.bin")
            for _ in 0..<100 {
                part.suspend()
                part.suspend()
                part.resume()
                part.resume()
            }
            part.core.end(.completed(TaskCompletion(status: 200)))
            part.suspend()
            part.resume()
            part.core.end(.failed(TransferError(.http, "404 Not Found", status: 404)))
            try expectEqual(play.end(), nil, "trouble")
            let output = String(decoding: play.show.output(), as: UTF8.self)
            try expectEqual(subject.count(output, "one.bin", false), 1, "ends")
        },
        FrontendPromise("show-clean", "no control character of a name, a URL or an error comes out") { subject in
            let controls = (Array(0..<0x20) + Array(0x7F..<0xA0) + [0x202E, 0x2066, 0x2028, 0x200B])
                .compactMap { Unicode.Scalar(UInt32($0)) }
            for control in controls {
                let play = try Play(subject.make(.works))
                let canary = "A\(control)B"
                let part = play.start("n\(canary)", url: "https://example.org/u\(canary)")
                part.core.end(.failed(TransferError(.connect, "e\(canary)")))
                play.tell(.warning("w\(canary)"))
                _ = play.end()
                let isOut = play.show.output().contains(Array(canary.utf8))
                try expect(!isOut, "U+\(String(control.value, radix: 16)) came out")
            }
        },
    ]

    private static let undisturbed: [FrontendPromise] = [
        runs("sink-fails", "a sink that fails never fails a task", .fails),
        runs("sink-stalls", "a sink that takes nothing delays no transfer", .stalls),
    ]

    /// 100 tasks complete within 5 s, whatever the sink does.
    private static func runs(_ id: String, _ sentence: String, _ sink: FrontendSubject.Sink) -> FrontendPromise {
        FrontendPromise(id, sentence) { subject in
            let show = try subject.make(sink)
            let folder = try TemporaryFolder()
            var configuration = SessionConfiguration()
            configuration.directory = folder.path
            configuration.durability = .none
            let begun = Begun(show)
            let session = try Session(
                transport: InstantTransport(), configuration: configuration, frontends: [begun])
            let tasks = try (0..<100).map { try session.add(TransferRequest("http://h.test/\($0)")) }
            let ended = await within(.seconds(5)) {
                for task in tasks { for await _ in task.life.updates {} }
                return tasks.count { if case .completed = $0.life.snapshot.outcome { true } else { false } }
            }
            show.release()
            _ = await session.finish()
            try expectEqual(ended, tasks.count, "tasks that completed within 5 s")
        }
    }
}

/// A frontend whose sink becomes what it is meant to be once it is open.
private final class Begun: Frontend {
    private let show: FrontendSubject.Show

    init(_ show: FrontendSubject.Show) { self.show = show }

    func open(_ commands: @escaping @Sendable (RunCommand) -> Void) throws {
        try show.frontend.open(commands)
        show.begin()
    }

    func follow(_ task: any TransferTask) { show.frontend.follow(task) }
    func receive(_ record: RunRecord) { show.frontend.receive(record) }
    var backlog: Int { show.frontend.backlog }
    func close() -> FrontendTrouble? { show.frontend.close() }
}
