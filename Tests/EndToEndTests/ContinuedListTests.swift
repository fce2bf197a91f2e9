#if Curl
import Glibc
import Testing
import WhirlLoopback

@Suite("--journal", .timeLimit(.minutes(2))) struct ContinuedListTests {
    /// A list of 40 files, of which the server holds back those from a number on.
    private struct Scene {
        let gate = Gate()
        let folder: TemporaryFolder
        let server: LoopbackServer

        init(heldFrom first: Int = 40) throws {
            folder = try TemporaryFolder()
            let (free, held) = (Route.file(size: 1000), Route.file(size: 1000, pace: .gate(gate, at: 500)))
            server = try LoopbackServer(
                Route { request in (Int(request.path.dropFirst()) ?? 0 < first ? free : held).steps(request) })
            folder.write("list", (0..<40).map { server.url("/\($0)") + "\n" }.joined())
        }

        func start(_ options: String..., journal: String = "j") throws -> Program {
            let words = ["-t", "curl", "-f", "jsonl", "-d", "out", "-j", "2", "-i", "list", "--journal", journal]
            return try Program(Program.whirl, words + options, folder: folder.path)
        }

        func run(_ options: String...) async throws -> (exit: Int32, stream: EventStream) {
            let run = try await start().wait()
            return (run.exit, try EventStream(run.output))
        }

        /// Waits until so many completions are in the journal, which as a file tells nobody.
        func untilJournal(shows count: Int) async throws -> Bool {
            let folder = folder
            return try await aside {
                for _ in 0..<2000 {
                    let text = String(decoding: folder.read("j") ?? [], as: UTF8.self)
                    if text.split(separator: "\n").count(where: { $0.hasPrefix(#"{"type":"completed""#) }) >= count {
                        return true
                    }
                    _ = poll(nil, 0, 10)
                }
                return false
            }
        }
    }

    private static func reasons(_ stream: EventStream) -> Set<String> {
        Set(stream.all("skipped").compactMap { $0["reason"]?.string })
    }

    @Test("goes on after a kill with what was not done: each file is fetched once, but for those in flight")
    func killed() async throws {
        let scene = try Scene(heldFrom: 25)
        let first = try scene.start()
        #expect(try await scene.untilJournal(shows: 25))
        _ = await scene.server.until { $0.requests.contains { $0.path == "/26" && $0.bodySent >= 500 } }
        first.signal(SIGKILL)
        _ = try await first.wait()
        scene.gate.open()
        let (exit, stream) = try await scene.run()
        #expect(exit == 0 && stream.faults.isEmpty && stream.all("completed").count == 15)
        #expect(stream.all("skipped").count == 25 && Self.reasons(stream) == ["journal"])
        let asked = Dictionary(grouping: scene.server.record.requests, by: \.path).mapValues(\.count)
        #expect(asked.count == 40 && asked.filter { $0.value > 1 }.keys.sorted() == ["/25", "/26"])
        #expect(asked.values.max() == 2)
        let lines = try EventStream(try #require(scene.folder.read("j")))
        #expect(lines.all("run").count == 2 && lines.all("end").count == 1 && lines.all("progress").isEmpty)
        scene.server.stop()
    }

    @Test("asks for nothing the second time but for what has gone")
    func again() async throws {
        let scene = try Scene()
        #expect(try await scene.run().exit == 0)
        unsafe unlink(scene.folder.path + "/out/7")
        let (exit, stream) = try await scene.run()
        #expect(exit == 0 && stream.all("skipped").count == 39 && stream.all("completed").count == 1)
        #expect(scene.server.record.requests.count == 41 && scene.server.record.requests.last?.path == "/7")
        scene.server.stop()
    }

    @Test("is looked into by --dry-run, and stays as it is")
    func dryRun() async throws {
        let scene = try Scene()
        _ = try await scene.run()
        _ = try await Program.run("bash", ["-c", "rm out/7"], folder: scene.folder.path)
        let before = scene.folder.read("j")
        let run = try await scene.start("--dry-run", "--on-exists", "overwrite").wait()
        let stream = try EventStream(run.output)
        #expect(stream.all("planned").compactMap { $0["reason"]?.string } == Array(repeating: "journal", count: 39))
        #expect(stream.all("planned").count == 40 && scene.folder.read("j") == before)
        scene.server.stop()
    }

    @Test("tells of what it has mended")
    func mended() async throws {
        let scene = try Scene()
        #expect(try await scene.run().exit == 0)
        scene.folder.write("j", (scene.folder.read("j") ?? []) + Array(#"{"type":"crea"#.utf8))
        let (exit, stream) = try await scene.run()
        #expect(exit == 0 && stream.faults.isEmpty && stream.all("skipped").count == 40)
        #expect(
            stream.all("warning").map { $0["message"]?.string } == ["j: its last line was cut off, and is taken away"])
        _ = try EventStream(try #require(scene.folder.read("j")))
        scene.server.stop()
    }

    @Test("is one run's at a time, and no other kind of file, which stays as it is")
    func refused() async throws {
        let scene = try Scene(heldFrom: 0)
        let first = try scene.start()
        #expect(try await scene.untilJournal(shows: 0))
        _ = await scene.server.until { $0.bodySent >= 500 }
        let second = try await scene.start().wait()
        let busy = "whirl: --journal: j is the journal of a run that has not ended; wait for it, or name another\n"
        #expect(second.exit == 2 && second.complaintText == busy)
        scene.gate.open()
        #expect(try await first.wait().exit == 0)
        let list = scene.folder.read("list")
        let third = try await scene.start(journal: "list").wait()
        #expect(third.exit == 2 && third.complaintText.hasPrefix("whirl: --journal: list is no journal: "))
        #expect(scene.folder.read("list") == list)
        let journal = scene.folder.read("j")
        let fourth = try await scene.start("--events", "./j").wait()
        #expect(fourth.exit == 2 && fourth.complaintText.contains("can't both have ./j"), "\(fourth.complaintText)")
        #expect(scene.folder.read("j") == journal)
        scene.server.stop()
    }

    @Test("that can't be written is named, exit 3, and the files come all the same")
    func full() async throws {
        let scene = try Scene()
        let command = "ulimit -f 8; exec \(Program.whirl) -f none -d out -i list --journal j"
        let run = try await Program.run("bash", ["-c", command], folder: scene.folder.path)
        #expect(run.exit == 3 && scene.folder.names(in: "out").count == 40)
        #expect(run.complaintText == "whirl: the stream of events can't be written to j: File too large\n")
        scene.server.stop()
    }
}
#endif
