import Testing
import WhirlCore
import WhirlInMemory
import WhirlLoopback
import WhirlSession

@Suite("Answers") struct AnswerTests {
    /// The first task's outcome over a script.
    private func fetch(_ script: [Step]) async throws -> (error: TransferError?, names: [String]) {
        let scene = try Scene { _, _ in script }
        let task = try scene.add()
        scene.transport.run()
        _ = await scene.session.finish()
        return (task.life.snapshot.outcome?.error, scene.folder.names)
    }

    @Test("a body that is shorter than was said is truncated, whatever the transport says of its end")
    func truncated() async throws {
        let (error, names) = try await fetch([.whole(10), .body([1, 2, 3])])
        #expect(error?.code == .truncated && error?.status == 200 && error?.transport == "scripted")
        #expect(names == ["a.part"])
    }

    @Test("a body that is longer than was said is no success")
    func tooLong() async throws {
        let (error, names) = try await fetch([.whole(2), .body([1, 2, 3])])
        #expect(error != nil && names.isEmpty)
    }

    @Test("an end without a head is a reset")
    func headless() async throws {
        let (error, names) = try await fetch([])
        #expect(error?.code == .reset && names.isEmpty)
    }

    @Test("an exchange that is cancelled by nobody is a fault, not a success")
    func nobody() async throws {
        let (error, _) = try await fetch([.whole(10), .body([1]), .end(.cancelled)])
        #expect(error?.code == .internal)
    }

    @Test("the body of an error never becomes the file")
    func notFound() async throws {
        let (error, names) = try await fetch([.head(404, [HTTPField("Content-Length", "3")]), .body([1, 2, 3])])
        #expect(error?.code == .http && error?.status == 404 && names.isEmpty)
    }

    @Test("416 that says we have all is completion, without a byte")
    func complete() async throws {
        let scene = try Scene(capabilities: [.phases]) { request, _ in
            request["Range"] == nil
                ? [.whole(3), .body([1, 2, 3]), .wait(Latch())]
                : .status(416, [HTTPField("Content-Range", "bytes */3"), HTTPField("ETag", "\"1\"")])
        }
        let task = try scene.add()
        scene.transport.run()
        task.suspend()
        task.resume()
        scene.transport.run()
        let (summary, _) = await scene.session.finish()
        #expect(summary.completed == 1 && summary.bytes == 3 && scene.folder.read("a") == [1, 2, 3])
    }

    @Test("a range that is not the rest is dropped and the whole asked for, within the attempt", arguments: [206, 416])
    func askAgain(_ status: Int) async throws {
        let scene = try Scene(capabilities: [.phases]) { request, number in
            if number == 0 { return [.whole(10), .body([1, 2, 3]), .wait(Latch())] }
            if request["Range"] == nil { return .file([7, 8, 9, 10], etag: "\"2\"") }
            return status == 206
                ? [.rest(from: 3, of: 9, etag: "\"2\""), .body([0, 0, 0])]
                : .status(416, [HTTPField("Content-Range", "bytes */4")])
        }
        let task = try scene.add()
        scene.transport.run()
        task.suspend()
        task.resume()
        scene.transport.run()
        let (summary, _) = await scene.session.finish()
        #expect(summary.completed == 1 && summary.wasted == 3 && scene.folder.read("a") == [7, 8, 9, 10])
        #expect(task.life.snapshot.attempt == 2 && scene.transport.record.requests.count == 3)
    }
}
