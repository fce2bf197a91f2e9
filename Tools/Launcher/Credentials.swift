import FoundationEssentials
import Glibc
import WhirlCore
import WhirlSession

/// Who to be, and to whom.
///
/// They become a header of the request; the session sends it to the origin of the request's own URL and to no other.
struct Credentials: Sendable {
    /// `name:password` for every URL.
    private var user: String?
    private var netrc: Netrc?
    /// The fields of every request have their own.
    private var isDone = false
    /// What their owner should know.
    private(set) var warnings: [Sentence] = []

    /// Nobody.
    init() {}

    /// What the settings say; reads the file, and asks for a password that is not given.
    init(_ settings: Settings, environment: [String: String]) throws(CommandError) {
        isDone = settings.hasAuthorization
        // Of two sources the weaker one is silent.
        if let setting = settings.last(.user), !isDone || !settings.isStronger(.header, than: .user) {
            if isDone {
                throw CommandError("\(setting.origin) and -H Authorization contradict each other; leave one out")
            }
            user = try Self.complete(setting)
        } else {
            try readNetrc(settings, environment)
        }
    }

    private static func complete(_ setting: Setting) throws(CommandError) -> String {
        let text = setting.value.description
        guard !text.contains(":") else { return text }
        do {
            return "\(text):\(try Terminal.password(for: text))"
        } catch {
            throw CommandError(setting.origin, error.message)
        }
    }

    private mutating func readNetrc(_ settings: Settings, _ environment: [String: String]) throws(CommandError) {
        var path = settings.text(.netrcFile)
        if path == nil, settings.isOn(.netrc), let setting = settings.last(.netrc) {
            guard let home = environment["HOME"], !home.isEmpty else {
                throw CommandError(setting.origin, "HOME is not set; use --netrc-file FILE")
            }
            path = home + "/.netrc"
        }
        guard let path else { return }
        let file = try Descriptor(reading: path)
        guard let text = String(validating: try file.bytes(atMost: 1 << 20), as: UTF8.self) else {
            throw CommandError("\(path): not UTF-8; save it as UTF-8")
        }
        let netrc = try Netrc(text, named: path)
        if netrc.hasPassword, file.isRegular, file.permissions & 0o044 != 0 {
            warnings.append("\(path): others can read the passwords in it; chmod 600 it")
        }
        self.netrc = netrc
    }

    /// Puts them into a request that has none of its own: in its fields, and in the URLs of its mirrors.
    func sign(_ request: inout TransferRequest) {
        guard !isDone, user != nil || netrc != nil,
            !request.fields.contains(where: { $0.name.lowercased() == "authorization" })
        else { return }
        if let credentials = credentials(for: request.url) { request.fields.append(Self.basic(credentials)) }
        for (index, mirror) in request.mirrors.enumerated() {
            guard let credentials = credentials(for: mirror), var parts = URLComponents(string: mirror) else {
                continue
            }
            let halves = credentials.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            parts.user = String(halves[0])
            parts.password = halves.count == 2 ? String(halves[1]) : ""
            request.mirrors[index] = parts.string ?? mirror
        }
    }

    /// Nil for a URL that has its own, and when nobody is known for its host.
    private func credentials(for text: String) -> String? {
        guard let url = URL(string: text), url.user() == nil, let host = url.host() else { return nil }
        let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        return user ?? netrc?.credentials(for: name)
    }

    /// The field that says `NAME:PASS` (RFC 7617).
    static func basic(_ credentials: String) -> HTTPField {
        HTTPField("Authorization", "Basic \(Data(credentials.utf8).base64EncodedString())")
    }
}
