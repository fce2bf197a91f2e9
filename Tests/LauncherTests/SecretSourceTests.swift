import Glibc
import Testing
import WhirlLoopback

@testable import WhirlLauncher

@Suite("A secret that is elsewhere")
struct SecretSourceTests {
    private static func command(_ line: String, prefix: String = "") throws(CommandError) -> String {
        try SecretSource(place: .command(line), prefix: prefix).read()
    }

    @Test("is the first line of what a command prints, after the prefix")
    func commands() async throws {
        let read = try await aside {
            try [
                Self.command("echo canary; echo more"), Self.command("printf canary", prefix: "me:"),
                Self.command("printf 'canary\\r\\n'"), Self.command("yes canary"),
                // It has nothing to read.
                Self.command("cat; echo canary"),
            ]
        }
        #expect(read == ["canary", "me:canary", "canary", "canary", "canary"])
    }

    @Test(
        "that can't be had is told, without a word of it",
        arguments: [
            ("echo canary; exit 3", "the command ended with exit code 3; try it in a shell"),
            ("echo canary; kill -9 $$", "the command ended with signal 9; try it in a shell"),
            ("true", "the command gives an empty first line; the secret has to stand there"),
            ("echo; echo canary", "the command gives an empty first line; the secret has to stand there"),
            ("printf 'canary\\377'", "the command gives no UTF-8; a secret has to be text"),
        ])
    func wrong(_ line: String, _ sentence: String) async throws {
        let complaint = try await aside {
            Samples.complaint { () throws(CommandError) in try Self.command(line) }
        }
        #expect(complaint == sentence)
    }

    @Test("is had when the command has ended, whatever it leaves running, and is given up after a while")
    func running() async throws {
        let bytes = try await aside { try ShellCommand.output(of: "sleep 60 & echo canary; echo $! >&2") }
        #expect(bytes == Array("canary\n".utf8))
        let complaint = try await aside {
            Samples.complaint { () throws(CommandError) in
                try ShellCommand.output(of: "exec sleep 60", patience: 0)
            }
        }
        #expect(complaint == "the command has not ended after 0 s; try it in a shell")
        let silent = try await aside { try ShellCommand.output(of: "exec >&-; sleep 0.1") }
        #expect(silent.isEmpty)
    }

    @Test("of --user is left alone beside a header that says who to be")
    func needless() throws {
        let mark = try ScratchFile("")
        let file = try ScratchFile("user: {command: 'echo x >>\(mark.path); echo me:canary'}\n")
        let settings = try Samples.settings(["--config", file.path, "-H", "authorization: x", "u"])
        #expect(try settings.revealed(by: Samples.table).last(.user) == nil)
        #expect(try FileBytes.read(mark.path, atMost: 10).isEmpty)
    }

    @Test("is the first line of a file that nobody else can read")
    func files() throws {
        let file = try ScratchFile("canary\nmore\n")
        _ = unsafe chmod(file.path, 0o600)
        #expect(try SecretSource(place: .file(file.path), prefix: "X: ").read() == "X: canary")
        for mode: mode_t in [0o640, 0o604, 0o660, 0o602] {
            _ = unsafe chmod(file.path, mode)
            let complaint = Samples.complaint { () throws(CommandError) in
                try SecretSource(place: .file(file.path)).read()
            }
            #expect(complaint == "\(file.path): others can read or write it; chmod 600 it")
        }
        let complaint = Samples.complaint { () throws(CommandError) in
            try SecretSource(place: .file("/nonexistent/x")).read()
        }
        #expect(complaint == "/nonexistent/x: No such file or directory; look whether the name is right")
    }

    @Test("is read when a transfer needs it, and judged as if it stood in the file")
    func revealed() async throws {
        let mark = try ScratchFile("")
        let file = try ScratchFile(
            "user: {command: 'echo x >>\(mark.path); echo me:canary'}\nheader: {command: echo none}\n")
        let settings = try Samples.settings(["--config", file.path, "u"])
        #expect(try FileBytes.read(mark.path, atMost: 10).isEmpty)
        let complaint = try await aside {
            Samples.complaint { () throws(CommandError) in try settings.revealed(by: Samples.table) }
        }
        #expect(complaint == "\(file.path):2:9: header: there is no colon; write it as 'Name: value'")
        let over = try Samples.settings(["--config", file.path, "--user", "me:x", "-H", "A: b", "u"])
        #expect(try over.revealed(by: Samples.table).text(.user) == "me:x")
        let only = try Samples.settings(["--config", file.path, "-H", "A: b", "u"])
        let user = try await aside { try only.revealed(by: Samples.table).text(.user) }
        #expect(user == "me:canary")
        #expect(try FileBytes.read(mark.path, atMost: 10) == Array("x\n".utf8))
    }
}
