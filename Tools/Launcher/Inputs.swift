import Glibc
import WhirlSession

/// What is to be transferred: what is known whole, and what comes through pipes.
///
/// Of long lists nothing is kept: they are read anew each time their requests are wanted.
struct Inputs: Sendable {
    /// A request and where it stands.
    struct Item: Sendable {
        let request: TransferRequest
        fileprivate(set) var place = InputPlace()
        /// What the check has found out of it; nil: it is to be found out anew.
        fileprivate(set) var admission: RequestCheck.Admission?
        /// Why it is none after all: its list is another one than when it was checked.
        fileprivate(set) var failure: CommandError?
    }

    /// For requests that have none of their own.
    var credentials = Credentials()
    /// Whether nothing says what to transfer.
    var isEmpty: Bool { count == 0 && streams.isEmpty }
    /// How many there are of arguments and regular files.
    private(set) var count = 0
    /// Lists whose end is not known, to be read after the others.
    private(set) var streams: [Descriptor] = []
    /// How lists are to be read.
    let source: ListSource
    /// Which of the requests are wanted; nil: all.
    let shard: Shard?
    /// Whether the standard input is one of the lists.
    private(set) var readsStandardInput = false
    /// What people should know of the lists that are known whole.
    private(set) var warnings: [Sentence] = []
    private let operands: [TransferRequest]
    private var lists: [ListFile] = []
    /// What the check has found out of all requests, in order; empty: nothing that is kept.
    var admissions: [RequestCheck.Admission] = []
    /// So many requests are kept.
    static let mostKept = 10_000
    /// The destination of the one request.
    private var destination: TransferRequest.Destination?
    /// What the bytes of the one request must hash to.
    private var digests: [DigestAlgorithm: String] = [:]
    /// The template for names of requests that have none of their own.
    private var template: String?

    /// Requests that need no reading.
    init(_ requests: [TransferRequest], _ source: ListSource = ListSource(), _ shard: Shard? = nil) {
        operands = requests
        self.shard = shard
        count = requests.count
        self.source = source
    }

    /// Reads every regular list whole and opens the others.
    init(operands: [String], settings: Settings) throws(CommandError) {
        self.init(
            operands.map { TransferRequest($0) }, try ListSource(settings), try settings.text(.shard).map(Shard.init))
        for setting in settings.all(.input) {
            let path = setting.value.description
            do {
                try add(path)
            } catch {
                throw CommandError(setting.origin, error.message)
            }
        }
        if let output = settings.last(.output) { try aim(output) }
        for checksum in settings.all(.checksum) { try expect(checksum) }
    }

    /// The requests of arguments and regular files, in order, as the settings would have them, whether wanted or not.
    var items: Items { Items(inputs: self) }

    /// Goes through them once.
    struct Items: Sequence, IteratorProtocol {
        fileprivate let inputs: Inputs
        private var count = 0
        private var list = -1
        private var reader: ListFile.Items?

        fileprivate init(inputs: Inputs) { self.inputs = inputs }

        mutating func next() -> Item? {
            defer { count += 1 }
            let admission = count < inputs.admissions.count ? inputs.admissions[count] : nil
            if count < inputs.operands.count {
                return Item(request: inputs.complete(inputs.operands[count]), admission: admission)
            }
            while true {
                switch reader?.next() {
                case .request(let listed):
                    let place = InputPlace(list: inputs.lists[list].file.name, line: listed.line)
                    return Item(request: inputs.complete(listed.request), place: place, admission: admission)
                case .wrong(let error, let url):
                    return Item(request: TransferRequest(url), failure: error)
                case nil: break
                }
                list += 1
                guard list < inputs.lists.count else { return nil }
                reader = inputs.lists[list].items(inputs.source)
            }
        }
    }

    /// A request as the settings would have it, with its name, digests and credentials.
    func complete(_ request: TransferRequest) -> TransferRequest {
        var request = request
        if let destination { request.destination = destination }
        if !digests.isEmpty { request.digests.merge(digests) { $1 } }
        return completeAdded(request)
    }

    /// The same for one that a program adds: what is said of the one request is not said of it.
    func completeAdded(_ request: TransferRequest) -> TransferRequest {
        var request = request
        if let template, request.destination == .suggested { request.destination = .template(template) }
        credentials.sign(&request)
        return request
    }

    private mutating func add(_ path: String) throws(CommandError) {
        let isStandardInput = path == "-"
        guard !(isStandardInput && readsStandardInput) else {
            throw CommandError("stdin can be read once; give -i - once")
        }
        guard !isStandardInput || StandardStreams.isOpen(STDIN_FILENO) else {
            throw CommandError("stdin is closed; name a file")
        }
        readsStandardInput = readsStandardInput || isStandardInput
        let file = isStandardInput ? Descriptor.standardInput : try Descriptor(reading: path)
        guard file.isRegular else { return streams.append(file) }
        var list = try ListFile(file)
        var items = list.items(source)
        var requests: [ListedRequest] = []
        let before = count
        while let item = items.next() {
            switch item {
            case .request(let request): if count < Self.mostKept { requests.append(request) }
            case .wrong(let error, url: _): throw error
            }
            count += 1
        }
        if count <= Self.mostKept { list.requests = requests }
        if count == before { throw CommandError("\(file.name): no URL in it; write one a line") }
        warnings += items.warnings
        lists.append(list)
    }

    private mutating func aim(_ output: Setting) throws(CommandError) {
        let path = output.value.description
        if path.contains("{") { return template = path }
        if let count = several {
            throw CommandError(
                output.origin,
                "names one file, for one URL, and \(count); use -d, a name with {name} or {index}, or out= in a list")
        }
        destination = path == "-" ? .standardOutput : .path(path)
    }

    private mutating func expect(_ setting: Setting) throws(CommandError) {
        if let count = several {
            throw CommandError(setting.origin, "is for one URL, and \(count); use sha256= in a list")
        }
        let checksum = try Checksum(setting.value.description)
        let before = items.first { _ in true }?.request.digests[checksum.algorithm]
        guard before == nil || before == checksum.digest else {
            throw CommandError(
                setting.origin, "there are two different \(checksum.algorithm.rawValue) for the URL; leave one out")
        }
        digests[checksum.algorithm] = checksum.digest
    }

    /// How many URLs there are, in words; nil when there is exactly one.
    private var several: String? {
        guard streams.isEmpty else { return "there is a list" }
        return count == 1 ? nil : "there are \(count)"
    }
}
