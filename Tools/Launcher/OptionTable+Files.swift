import WhirlSession

/// What is transferred, and where it goes.
extension OptionTable {
    private static let defaults = SessionConfiguration()

    static let files = [
        CommandOption(
            .input, "i", .path, "FILE|-", isRepeatable: true, verbs: [.get], group: .files,
            help: "a list: URLs, JSON, aria2's, SHA256SUMS",
            detail: """
                A line is a URL, perhaps followed by the name for its file, by what its bytes must be, and by other \
                URLs of the same bytes: URL out=PATH sha256=HEX size=N. Lists of JSON objects, of aria2 and of digests \
                are known by their first line. - is the standard input, which is read as its lines arrive.
                """,
            example: "whirl -i list.txt"),
        CommandOption(
            .inputFormat, nil, .choice(ListFormat.allCases.map(\.rawValue)), "FORMAT", preset: ListFormat.auto.rawValue,
            verbs: [.get], group: .files, isRare: true,
            help: words(ListFormat.self),
            detail: """
                How every list is written. jsonl has an object a line: {"url": "...", "destination": "PATH", "digests": \
                {"sha256": "HEX"}, "headers": {"NAME": "VALUE"}, "size": N}, and in place of url perhaps urls, an array. \
                aria2 has indented options below a URL; those that only say how aria2 goes about it are passed over \
                with a warning. sums has digests and names, as sha256sum writes them.
                """,
            example: "whirl --input-format aria2 -i list.txt"),
        CommandOption(
            .baseURL, nil, .text, "URL", verbs: [.get], group: .files, isRare: true,
            help: "the folder of names in SHA256SUMS",
            detail: "A list of digests has names; this URL says in which folder the files are.",
            example: "whirl --base-url https://example.org/pub/ -i SHA256SUMS"),
        CommandOption(
            .shard, nil, .shard, "K/N", verbs: [.get], group: .files, isRare: true,
            help: "of N parts of all URLs the K-th",
            detail: """
                For more than one machine. A URL belongs to the same part however the list grows: by the first 8 bytes \
                of the SHA-256 of the URL without credentials and fragment, modulo N. A part without a URL is no error.
                """,
            example: "whirl --shard 2/8 -i list.txt"),
        CommandOption(
            .dryRun, verbs: [.get], group: .files,
            help: "only say what would be done",
            detail: """
                What would be fetched, continued, skipped or refused, from what is on the disk: on the standard output, \
                as lines or, with -f jsonl, as records. A --journal is looked into. No server is asked and no file touched.
                """,
            example: "whirl --dry-run -i list.txt"),
        CommandOption(
            .output, "o", .path, "PATH|-", verbs: [.get], group: .files,
            help: "its name; of many {index}-{name}; - is stdout",
            detail: """
                With a brace it is a template for the names of all: {host}, {path}, {name}, {stem} and {ext} of the \
                URL, and {index} in the run; {{ is a brace. Without -o a file is named by the last part of its URL's \
                path.
                """,
            example: "whirl -o page.html https://example.org/"),
        CommandOption(
            .directory, "d", .folder, "DIR", group: .files,
            help: "where files go", detail: "It is made where it is missing.", example: "whirl -d downloads URL"),
        CommandOption(
            .checksum, nil, .checksum, "ALGO:HEX", isRepeatable: true, verbs: [.get], group: .files,
            help: "what the one URL's bytes must hash to",
            detail: """
                md5, sha1, sha224, sha256, sha384 or sha512. Bytes that are not so keep the name NAME.part, and the \
                exit code is 4.
                """,
            example: "whirl --checksum md5:\(emptyDigest) URL"),
        CommandOption(
            .onExists, nil, .choice(SessionConfiguration.OnExists.allCases.map(\.rawValue)), "WHAT",
            preset: defaults.onExists.rawValue, group: .files,
            help: words(SessionConfiguration.OnExists.self) + " the file",
            detail: """
                What to do when there is a file of that name. A skipped one is checked where its size or digest is \
                known. With rename the new one is called 'name (2).ext'.
                """,
            example: "whirl --on-exists rename URL"),
        CommandOption(
            .resume, nil, .choice(SessionConfiguration.Resume.allCases.map(\.rawValue)), "HOW",
            preset: defaults.resume.rawValue, group: .files,
            help: words(SessionConfiguration.Resume.self),
            detail: """
                When the bytes of an earlier try are of use: with the server's proof that the file is the same, else \
                from the start (auto); with proof, else it is a failure (strict); never; or without proof (unsafe).
                """,
            example: "whirl --resume strict URL"),
        CommandOption(
            .refresh, group: .files, isRare: true,
            help: "fetch what is there again, if the server has newer",
            detail: "Asks with what the server said of the file the last time, which is kept in its attributes.",
            example: "whirl --refresh URL"),
        CommandOption(
            .remoteName, group: .files, isRare: true,
            help: "the name that the server proposes",
            detail: "That of Content-Disposition, without folders, control characters and leading dots.",
            example: "whirl --remote-name URL"),
        CommandOption(
            .remoteTime, group: .files, isRare: true,
            help: "the server's time for the file", example: "whirl --remote-time URL"),
        CommandOption(
            .maxSize, nil, .size, "SIZE", group: .files, isRare: true,
            help: "no file larger than that, such as 2G",
            detail: "k, M, G and T are powers of 1024. A larger file is a failure, before or while it is fetched.",
            example: "whirl --max-size 2G URL"),
        CommandOption(
            .durability, nil, .choice(SessionConfiguration.Durability.allCases.map(\.rawValue)), "WHAT",
            preset: defaults.durability.rawValue, group: .files, isRare: true,
            help: words(SessionConfiguration.Durability.self) + " synced",
            detail: """
                What a finished file has to survive: file syncs its bytes to the disk before it gets its name, full \
                also the folder, none nothing.
                """,
            example: "whirl --durability full URL"),
    ]

    private static let emptyDigest = "d41d8cd98f00b204e9800998ecf8427e"

    private static func words<Word: CaseIterable & RawRepresentable<String>>(_ type: Word.Type) -> String {
        type.allCases.map(\.rawValue).joined(separator: "|")
    }
}
