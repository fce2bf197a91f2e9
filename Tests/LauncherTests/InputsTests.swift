import Glibc
import Testing
import WhirlLoopback
import WhirlSession

@testable import WhirlLauncher

@Suite("What is to be transferred")
struct InputsTests {
    private static let md5 = "md5:D41D8CD98F00B204E9800998ECF8427E"

    private func inputs(_ words: String..., operands: [String]) throws(CommandError) -> Inputs {
        try Inputs(operands: operands, settings: Samples.settings(words))
    }

    @Test("is named by a template when -o has a brace: any number of URLs, but for those that have a name")
    func template() throws {
        let list = try ScratchFile("http://h/c out=own\nhttp://h/d\n")
        let inputs = try inputs("-o", "{host}/{index}", "-i", list.path, operands: ["http://h/a", "http://h/b"])
        let template = TransferRequest.Destination.template("{host}/{index}")
        #expect(inputs.items.map(\.request.destination) == [template, template, .path("own"), template])
        #expect(inputs.complete(TransferRequest("http://h/e")).destination == template)
        #expect(inputs.complete(TransferRequest("http://h/e", to: .path("f"))).destination == .path("f"))
    }

    @Test("keeps its own name without one")
    func plain() throws {
        let inputs = try inputs("-o", "x", operands: ["http://h/a"])
        #expect(inputs.items.map(\.request.destination) == [.path("x")])
    }

    @Test("may be expected to have a digest, when it is one URL")
    func checksum() throws {
        let inputs = try inputs("--checksum", Self.md5, operands: ["http://h/a"])
        #expect(inputs.items.first { _ in true }?.request.digests == [.md5: "d41d8cd98f00b204e9800998ecf8427e"])
        let complaint = Samples.complaint { () throws(CommandError) in
            try self.inputs("--checksum", Self.md5, operands: ["http://h/a", "http://h/b"])
        }
        #expect(complaint == "--checksum: is for one URL, and there are 2; use sha256= in a list")
    }

    @Test("of a list can't have one name, nor one digest")
    func one() throws {
        let pipe = try TemporaryFolder()
        let path = pipe.path + "/f"
        #expect(unsafe mkfifo(path, 0o600) == 0)
        let writer = unsafe open(path, O_RDWR)
        defer { close(writer) }
        for (words, sentence) in [
            (
                ["-o", "x"],
                "-o: names one file, for one URL, and there is a list; use -d, a name with {name} or {index}, or out= in a list"
            ),
            (
                ["--checksum", "md5:" + String(repeating: "0", count: 32)],
                "--checksum: is for one URL, and there is a list; use sha256= in a list"
            ),
        ] {
            let settings = try Samples.settings(["-i", path] + words)
            let complaint = Samples.complaint { () throws(CommandError) in
                try Inputs(operands: [], settings: settings)
            }
            #expect(complaint == sentence)
        }
    }

    @Test("can't be expected to have two digests of one kind")
    func contradiction() {
        let other = "MD5:" + String(repeating: "0", count: 32)
        let complaint = Samples.complaint { () throws(CommandError) in
            try inputs("--checksum", Self.md5, "--checksum", other, operands: ["http://h/a"])
        }
        #expect(complaint == "--checksum: there are two different md5 for the URL; leave one out")
    }
}
