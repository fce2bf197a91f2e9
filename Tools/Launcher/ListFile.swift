/// A list that is there whole: a regular file, which can be read more than once.
struct ListFile: Sendable {
    let file: Descriptor
    /// The bytes that were there when it was opened: what is written behind them is nobody's.
    private let range: Range<Int>
    /// What is in it; nil: it is read anew each time.
    var requests: [ListedRequest]?

    /// The rest of the file, from where it is open.
    init(_ file: Descriptor) throws(CommandError) {
        self.file = file
        range = try file.rest()
    }

    /// What is in it.
    func items(_ source: ListSource) -> Items {
        let reader = ListReader(name: file.name, source, isWhole: true)
        return Items(requests: requests?[...], file: file, rest: range, reader: reader)
    }

    /// Goes through it once.
    struct Items {
        private static let piece = 64 << 10

        /// Those that are known; nil: they are to be read.
        fileprivate var requests: ArraySlice<ListedRequest>?
        fileprivate let file: Descriptor
        fileprivate var rest: Range<Int>
        fileprivate var reader: ListReader
        fileprivate var isOver = false

        /// What people should know of what has been read.
        var warnings: [Sentence] { reader.warnings }

        mutating func next() -> ListReader.Item? {
            if requests != nil { return requests?.popFirst().map { .request($0) } }
            while true {
                if let item = reader.next() { return item }
                guard !isOver else { return nil }
                isOver = rest.isEmpty
                do throws(CommandError) {
                    let bytes = isOver ? [] : try file.read(upTo: min(rest.count, Self.piece), at: rest.lowerBound)
                    guard isOver || !bytes.isEmpty else {
                        throw CommandError(
                            "\(file.name) has become shorter while it was read; start again when it is whole")
                    }
                    reader.append(bytes)
                    rest = (rest.lowerBound + bytes.count)..<rest.upperBound
                } catch {
                    isOver = true
                    return .wrong(error, url: "")
                }
            }
        }
    }
}
