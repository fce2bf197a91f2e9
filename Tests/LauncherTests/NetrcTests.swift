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
