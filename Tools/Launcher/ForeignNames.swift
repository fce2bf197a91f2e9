/// What other tools call things, for who comes from them.
enum ForeignNames {
    private static let names: [String: OptionName] = [
        "parallel": .jobs, "parallel-max": .jobs, "max-concurrent-downloads": .jobs, "threads": .jobs,
        "concurrency": .jobs,
        "silent": .quiet, "continue": .resume, "continue-at": .resume, "output-document": .output, "out": .output,
        "directory-prefix": .directory, "dir": .directory, "input-file": .input, "retry": .retries, "tries": .retries,
        "max-tries": .retries, "max-filesize": .maxSize, "max-time": .deadline, "remote-header-name": .remoteName,
        "content-disposition": .remoteName, "timestamping": .refresh, "no-clobber": .onExists,
        "ca-certificate": .cacert,
        "no-check-certificate": .insecure, "max-download-limit": .limitRatePerTask,
        "max-overall-download-limit": .limitRate,
        "http-user": .user, "all-proxy": .proxy, "progress": .frontend,
    ]

    /// What is done without being asked for.
    private static let natural: [String: Sentence] = [
        "location": "redirects are followed anyway", "L": "redirects are followed anyway",
        "remote-name-all": "every file is named by its URL anyway", "O": "every file is named by its URL anyway",
        "c": "what is there in part is continued anyway, see --resume",
        "create-dirs": "folders are made anyway", "fail": "an answer such as 404 is a failure anyway",
    ]

    private static let letters: [Character: OptionName] = [
        "s": .quiet, "C": .resume, "P": .directory, "x": .proxy, "k": .insecure, "u": .user, "A": .userAgent,
        "N": .refresh,
        "a": .userAgent,
    ]

    /// What to say of an option that is none, by its name without dashes, or its letter; nil when it is not known either.
    static func hint(_ name: String) -> Sentence? {
        if let sentence = natural[name] { return sentence }
        let option = name.count == 1 ? name.first.flatMap { letters[$0] } : names[name]
        return option.map { "here that is \($0.flag)" }
    }
}
