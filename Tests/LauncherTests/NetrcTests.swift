import Glibc
import Testing
import WhirlSession

@testable import WhirlLauncher

@Suite("A netrc file")
struct NetrcTests {
    private func credentials(_ text: String, for host: String = "h.test") throws(CommandError) -> String? {
        try Netrc(text, named: "netrc").credentials(for: host)
    }

    @Test(
        "is read in every usual form",
        arguments: [
            "machine h.test login me password pw", "machine h.test\n\tlogin me\n\tpassword pw\n",
            "machine H.TEST password pw login me", "default login me password pw",
            "machine o.test login you password no\nmachine h.test login me password pw\ndefault login x password y",
            "machine h.test login \"me\" password \"pw\"", "# a comment\nmachine h.test login me password pw # another",
            "macdef init\ncd /\nmachine h.test\n\nmachine h.test account a login me password pw",
            "machine h.test login me password pw\r\n",
        ])
    func forms(_ text: String) throws {
        #expect(try credentials(text) == "me:pw")
    }

    @Test("that others can read is told, if there is a password in it", arguments: [0o600, 0o640, 0o604] as [mode_t])
    func permissions(_ mode: mode_t) throws {
        for (text, isSecret) in [("default login me password canary", true), ("default login me", false)] {
            let file = try ScratchFile(text)
            _ = unsafe chmod(file.path, mode)
            let settings = try Samples.settings(["--netrc-file", file.path, "u"])
            let warnings = try Credentials(settings, environment: [:]).warnings.map(\.text)
            let sentence = "\(file.path): others can read the passwords in it; chmod 600 it"
            #expect(warnings == (isSecret && mode != 0o600 ? [sentence] : []))
        }
        let file = try ScratchFile([0xFF])
        let settings = try Samples.settings(["--netrc-file", file.path, "u"])
        let complaint = Samples.complaint { () throws(CommandError) in try Credentials(settings, environment: [:]) }
        #expect(complaint == "\(file.path): not UTF-8; save it as UTF-8")
    }

    @Test("may have blanks, quotes and line ends in a quoted word")
    func quotes() throws {
        #expect(try credentials(#"default login "a b" password "c\"d\\e\nf""#) == "a b:c\"d\\e\nf")
    }

    @Test("says nothing of other hosts, and an entry without a login says nothing")
    func nothing() throws {
        #expect(try credentials("machine o.test login me password pw") == nil)
        #expect(try credentials("machine h.test password pw") == nil)
        #expect(try credentials("machine h.test login me") == "me:")
        #expect(try credentials("") == nil)
    }

    @Test(
        "that is wrong is told with its line, and without a word of it",
        arguments: [
            ("machine h.test login me password pw secret", 1), ("\nlogin secret", 2), ("machine h.test login", 1),
            ("machine h.test\nlogin \"secret", 2), ("machine h.test login sec:ret", 1), ("machine", 1),
        ])
    func mistakes(_ text: String, _ line: Int) throws {
        let sentence = try #require(Samples.complaint { () throws(CommandError) in try credentials(text) })
        #expect(sentence.hasPrefix("netrc:\(line): ") && !sentence.contains("sec"))
    }
}
