import Glibc
import Testing
import WhirlCore
import WhirlLoopback

@testable import WhirlSession

@Suite("A preview") struct PreviewTests {
    private static let url = "http://h/f"

    private func plan(
        _ request: TransferRequest, in folder: Folder, configure: (inout SessionConfiguration) -> Void = { _ in }
    ) -> PlannedTask.Action {
        var configuration = SessionConfiguration(in: folder)
        configure(&configuration)
        var preview = Preview(configuration)
        return preview.plan(request).action
    }

    /// A `.part` of 4 bytes and what its state says.
    private func begin(_ folder: Folder, url: String = url, etag: String? = "\"1\"") {
        folder.write("f.part", "1234")
        let state = PartState(
            key: Digest.sha256(url), url: url, validator: etag.map { Validator(etag: $0) }, total: 10)
        _ = state.write(to: "\(folder.path)/f.part.state")
    }

    @Test("says what would become of a file that is there, and of one that is not")
    func files() throws {
        let folder = try Folder()
        let request = TransferRequest(Self.url)
        #expect(plan(request, in: folder) == .fetch(restart: nil))
        folder.write("f", "1234")
        #expect(plan(request, in: folder) == .skip(reason: "exists"))
        #expect(plan(request, in: folder) { $0.onExists = .overwrite } == .fetch(restart: nil))
        #expect(plan(request, in: folder) { $0.refreshes = true } == .fetch(restart: nil))
        let sha256 = ResumeTests.sha256(Array("1234".utf8))
        #expect(
            plan(TransferRequest(Self.url, digests: [.sha256: sha256]), in: folder) == .skip(reason: "verified"))
        let wrong = TransferRequest(Self.url, digests: [.md5: String(repeating: "0", count: 32)])
        guard case .fail(let error) = plan(wrong, in: folder) else { throw TransferError(.usage, "no failure") }
        #expect(error.code == .digestMismatch)
        #expect(plan(wrong, in: folder) { $0.refreshes = true } == .fetch(restart: nil))
    }

    @Test("says what an earlier run has completed")
    func journal() throws {
        let folder = try Folder()
        let request = TransferRequest(Self.url)
        #expect(plan(request, in: folder) { $0.isDone = { _ in true } } == .fetch(restart: nil))
        folder.write("f", "1234")
        for isDone in [true, false] {
            let action = plan(request, in: folder) {
                $0.isDone = { _ in isDone }
                $0.onExists = .overwrite
            }
            #expect(action == (isDone ? .skip(reason: "journal") : .fetch(restart: nil)))
        }
    }

    @Test("says whether bytes in hand would be of use")
    func parts() throws {
        let folder = try Folder()
        let request = TransferRequest(Self.url)
        begin(folder)
        #expect(plan(request, in: folder) == .resume(offset: 4, total: 10))
        #expect(plan(request, in: folder) { $0.resume = .never } == .fetch(restart: "never"))
        begin(folder, etag: nil)
        #expect(plan(request, in: folder) == .fetch(restart: "no_validator"))
        begin(folder, url: "http://other/f")
        #expect(plan(request, in: folder) == .fetch(restart: "other_url"))
        #expect(
            plan(TransferRequest(Self.url, mirrors: ["http://other/f"]), in: folder) == .resume(offset: 4, total: 10))
        guard case .fail(let error) = plan(request, in: folder, configure: { $0.resume = .strict }) else {
            throw TransferError(.usage, "no failure")
        }
        #expect(error.code == .changed)
    }

    @Test("touches nothing: neither a lock nor a state that is out of date")
    func touchesNothing() throws {
        let folder = try Folder()
        begin(folder)
        let file = PartFile("\(folder.path)/f", from: Self.url, onExists: .skip, isDurable: false)
        _ = try file.leftover(.auto, hasDigest: false)
        #expect(plan(TransferRequest(Self.url), in: folder) == .resume(offset: 4, total: 10))
        file.close()
        let other = try Folder()
        begin(other)
        other.write("f", "whole")
        #expect(unsafe remove("\(other.path)/f.part") == 0)
        #expect(plan(TransferRequest(Self.url), in: other) == .skip(reason: "exists"))
        #expect(other.names == ["f", "f.part.state"])
    }

    @Test("finds what makes no sense, and two that would write to one path")
    func refusals() throws {
        var preview = Preview(SessionConfiguration(in: try Folder()))
        let urls = ["http://h/f", "http://i/f", "h/f"]
        let codes = urls.map { url -> TransferError.Code? in
            guard case .fail(let error) = preview.plan(TransferRequest(url)).action else { return nil }
            return error.code
        }
        #expect(codes == [nil, .usage, .usage])
    }
}
