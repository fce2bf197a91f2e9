import WhirlSession

/// A request of a list and the line it stands in.
struct ListedRequest: Sendable {
    let request: TransferRequest
    let line: Int
}

/// Takes the bytes of a list as they come and gives its requests.
///
/// Empty lines are passed over, and but in JSON Lines those that begin with `#`. At most one line and one request are
/// held: indented options, as aria2 has them, may follow a URL.
struct ListReader {
    /// What a line has to say.
    enum Item: Sendable {
        case request(ListedRequest)
        /// The line is wrong; the next may be right.
        case wrong(CommandError, url: String)
    }

    /// What may still be followed by options.
    private enum Entry {
        case right(Aria2Entry)
        /// Its options are passed over with it.
        case wrong(CommandError, url: String)
    }

    private let name: String
    private let source: ListSource
    private var format: ListFormat
    private var isFormatKnown: Bool
    private var lines = LineCutter()
    private var signed = SignedText()
    private var entry: Entry?
    /// Whether a request is held until it is known whether options follow.
    ///
    /// A list that comes through a pipe may pause after any line: its requests wait for nothing until there are options.
    private var waits: Bool
    private var warned: Set<String> = []
    /// What people should know, in order; whoever tells it takes it.
    var warnings: [Sentence] = []

    /// A reader of the list that errors call `name`.
    ///
    /// `isWhole`: its end comes soon.
    init(name: String, _ source: ListSource = ListSource(), isWhole: Bool = false) {
        self.name = name
        self.source = source
        format = source.format
        isFormatKnown = format != .auto
        waits = isWhole || source.format == .aria2
    }

    /// Whether the end has come.
    var isOver: Bool { lines.isOver }

    /// Adds bytes; none mean the end.
    mutating func append(_ bytes: [UInt8]) { lines.append(bytes) }

    /// The next item; nil when there is none until more bytes come.
    mutating func next() -> Item? {
        while let line = lines.next() {
            guard let bytes = line.bytes else {
                let message: Sentence = "longer than \(LineCutter.longest >> 10) KiB; write one URL a line"
                return .wrong(error(message, line.number), url: "")
            }
            if let item = item(bytes, line.number) { return item }
        }
        return waits && !lines.isOver ? nil : takeEntry()
    }

    private mutating func takeEntry() -> Item? {
        switch entry.take() {
        case .right(let entry): return .request(ListedRequest(request: entry.finished, line: entry.line))
        case .wrong(let error, let url): return .wrong(error, url: url)
        case nil: return nil
        }
    }

    private func error(_ message: Sentence, _ line: Int) -> CommandError { CommandError("\(name):\(line): \(message)") }

    private mutating func warn(_ message: Sentence, about topic: String, _ line: Int) {
        if warned.insert(topic).inserted { warnings.append("\(name):\(line): \(message)") }
    }

    // MARK: lines

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

    private mutating func item(_ line: ArraySlice<UInt8>, _ number: Int) -> Item? {
        if format == .sums { return sum(line, number) }
        guard let first = line.first(where: { !Self.isBlank($0) }) else { return nil }
        let isComment = first == UInt8(ascii: "#")
        if !isFormatKnown, !isComment {
            format = .of(line.drop(while: Self.isBlank))
            isFormatKnown = true
        }
        switch format {
        case .jsonl: return record(line, number)
        case .sums: return sum(line, number)
        case .auto, .plain, .aria2: return isComment ? nil : words(line, number)
        }
    }

    private func record(_ line: ArraySlice<UInt8>, _ number: Int) -> Item {
        do throws(CommandError) {
            return .request(ListedRequest(request: try ManifestRecord(line).request, line: number))
        } catch {
            return .wrong(self.error(error.message, number), url: "")
        }
    }

    private mutating func sum(_ line: ArraySlice<UInt8>, _ number: Int) -> Item? {
        guard let line = signed.take(line) else {
            warn("the signature is not checked", about: "a signature", number)
            return nil
        }
        guard !line.allSatisfy(Self.isBlank), line.first != UInt8(ascii: "#") else { return nil }
        do throws(CommandError) {
            let sum = try SumsLine(line)
            guard let base = source.base else {
                throw CommandError("has names, not URLs; say where the files are with --base-url URL")
            }
            let request = TransferRequest(
                base.url(of: sum.name), to: .path(sum.name), digests: [sum.checksum.algorithm: sum.checksum.digest])
            return .request(ListedRequest(request: request, line: number))
        } catch {
            return .wrong(self.error(error.message, number), url: "")
        }
    }

    /// A URL, and whatever stands beside it, or an option of the URL above.
    private mutating func words(_ line: ArraySlice<UInt8>, _ number: Int) -> Item? {
        if format != .plain, let first = line.first, Self.isBlank(first), isOption(line) {
            return option(line, number)
        }
        let before = takeEntry()
        do {
            entry = .right(Aria2Entry(try request(line), line: number))
        } catch {
            let url = String(decoding: words(of: line).first ?? [], as: UTF8.self)
            entry = .wrong(self.error(error.message, number), url: url)
        }
        return before
    }

    private func request(_ line: ArraySlice<UInt8>) throws(CommandError) -> TransferRequest {
        // The usual line has nothing but a URL.
        guard line.first == UInt8(ascii: "<") || line.contains(where: Self.isBlank) else {
            return TransferRequest(try PlainLine.text(line))
        }
        return try PlainLine.request(words(of: line))
    }

    private func words(of line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        let isTabbed = format == .aria2
        return line.split { isTabbed ? $0 == 0x09 || $0 == 0x0D : Self.isBlank($0) }
    }

    /// In a list of unknown kind an indented line may be a URL: what has a name of lower-case letters before an `=` is
    /// none.
    private func isOption(_ line: ArraySlice<UInt8>) -> Bool {
        if format == .aria2 { return true }
        let name = line.drop(while: Self.isBlank).prefix { $0 != UInt8(ascii: "=") }
        return !name.isEmpty && name.endIndex < line.endIndex
            && name.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
    }

    private mutating func option(_ line: ArraySlice<UInt8>, _ number: Int) -> Item? {
        waits = true
        switch entry {
        case .wrong: return nil
        case nil:
            return .wrong(
                error(
                    "is an option of a URL above it, and there is none, or it has begun already; "
                        + "with --input-format aria2 a URL waits for its options", number), url: "")
        case .right(var entry):
            let end = line.lastIndex { !Self.isBlank($0) }.map { $0 + 1 } ?? line.endIndex
            let text = line[..<end].drop(while: Self.isBlank)
            do {
                if let warning = try entry.set(try PlainLine.text(text)) {
                    let name = text.prefix { $0 != UInt8(ascii: "=") }
                    warn(warning, about: String(decoding: name, as: UTF8.self), number)
                }
                self.entry = .right(entry)
            } catch {
                self.entry = .wrong(self.error(error.message, number), url: entry.finished.url)
            }
            return nil
        }
    }
}
