import WhirlCore

/// What people can do about a failure, where its own sentence does not say: a clause behind its semicolon.
enum Advice {
    /// Nil for a failure whose sentence always says it itself.
    static func on(_ error: TransferError) -> String? {
        switch error.code {
        case .http: on(status: error.status ?? 0)
        case .resolve: "look whether the name is right and the network is there"
        case .connect: "look whether host and port are right and a server runs there"
        case .timeout, .stalled: "try again later, or allow more time"
        case .reset, .truncated: "try again later"
        case .tls: "look whether that port is one for https"
        case .malformed: "look whether a web server is there, or tell who runs it"
        case .certificate: "to trust it name it, or who signed it, with --cacert FILE"
        case .redirect: "look whether the URL is right"
        case .digestMismatch: "look for the right digest, or for another place that has the file"
        case .diskFull: "make room and start again: it goes on where it stopped"
        case .permission, .io: "choose another place with -o or -d"
        case .internal: "please report it, with what --events FILE writes"
        default: nil
        }
    }

    private static func on(status: Int) -> String {
        switch status {
        case 401: "give a name and a password with --user, or --netrc"
        case 402, 403, 451: "it may want credentials (--user) or a header (-H), or ask who runs the server"
        case 406: "ask for what it has with -H 'Accept: …'"
        case 407: "give the proxy's name and password: --proxy http://NAME:PASS@HOST:PORT"
        case 429: "try again later, and ask less often: -j 1, or --start-rate"
        case 408, 425, 500, 502, 503, 504, 520...524: "try again later, or with more --retries"
        case 511: "log in to the network first"
        case 500...: "tell who runs the server"
        default: "look whether the URL is right"
        }
    }
}

extension TransferError {
    /// The same, its sentence followed by what can be done.
    var advised: TransferError {
        guard !message.contains("; "), let advice = Advice.on(self) else { return self }
        var error = self
        error.message += "; \(advice)"
        return error
    }
}

extension TaskOutcome {
    /// The same; a failure says what can be done.
    var advised: TaskOutcome {
        if case .failed(let error) = self { .failed(error.advised) } else { self }
    }
}
