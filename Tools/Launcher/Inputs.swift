import Glibc
import WhirlSession

/// What is to be transferred: what is known whole, and what comes through pipes.
struct Inputs: Sendable {
    private struct Place: Sendable {
        let list: Int32
        let line: Int32
    }

    /// Of arguments and regular files, in order.
    private(set) var requests: [TransferRequest] = []
    /// Lists whose end is not known, to be read after that.
    private(set) var streams: [Descriptor] = []
    /// Whether the standard input is one of the lists.
    private(set) var readsStandardInput = false
    /// For requests that have none of their own.
    var credentials = Credentials()
    /// The template for names of requests that have none of their own.
    private var template: String?
    private var names: [String] = []
    private var firstListed = 0
    private var places: [Place] = []

    /// Requests that need no reading.
    init(_ requests: [TransferRequest]) {
        self.requests = requests
        firstListed = requests.count
    }

    /// Reads every regular list whole and opens the others.
    init(operands: [String], settings: Settings) throws(CommandError) {
        self.init(operands.map { TransferRequest($0) })
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

    /// A request as the settings would have it, with credentials and a name.
    func complete(_ request: TransferRequest) -> TransferRequest {
        var request = named(request)
        credentials.sign(&request)
        return request
    }

    private func named(_ request: TransferRequest) -> TransferRequest {
        guard let template, request.destination == .suggested else { return request }
        var request = request
        request.destination = .template(template)
        return request
    }

    /// `FILE:LINE: ` of a request from a list, and nothing for an argument.
    func place(of index: Int) -> String {
        guard index >= firstListed else { return "" }
        let place = places[index - firstListed]
        return "\(names[Int(place.list)]):\(place.line): "
    }

    private mutating func add(_ path: String) throws(CommandError) {
        let isStandardInput = path == "-"
        guard !(isStandardInput && readsStandardInput) else { throw CommandError("stdin can be read once") }
        guard !isStandardInput || StandardStreams.isOpen(STDIN_FILENO) else { throw CommandError("stdin is closed") }
        readsStandardInput = readsStandardInput || isStandardInput
        let file = isStandardInput ? Descriptor.standardInput : try Descriptor(reading: path)
        guard file.isRegular else { return streams.append(file) }
        let before = requests.count
        try read(file)
        if requests.count == before { throw CommandError("\(file.name): no URL in it") }
    }

    private mutating func read(_ file: Descriptor) throws(CommandError) {
        let list = Int32(names.count)
        names.append(file.name)
        var reader = ListReader(name: file.name)
        var isOver = false
        while !isOver {
            let bytes = try file.read(upTo: 256 << 10)
            isOver = bytes.isEmpty
            reader.append(bytes)
            while let item = reader.next() {
                switch item {
                case .request(let listed):
                    requests.append(listed.request)
                    places.append(Place(list: list, line: Int32(clamping: listed.line)))
                case .wrong(let error, url: _): throw error
                }
            }
        }
    }

    private mutating func aim(_ output: Setting) throws(CommandError) {
        let path = output.value.description
        if path.contains("{") {
            template = path
            for index in requests.indices { requests[index] = named(requests[index]) }
            return
        }
        if let count = several {
            throw CommandError(
                output.origin,
                "names one file, for one URL, and \(count); use -d, a name with {name} or {index}, or out= in a list")
        }
        requests[0].destination = path == "-" ? .standardOutput : .path(path)
    }

    private mutating func expect(_ setting: Setting) throws(CommandError) {
        if let count = several {
            throw CommandError(setting.origin, "is for one URL, and \(count); use sha256= in a list")
        }
        let checksum = try Checksum(setting.value.description)
        let before = requests[0].digests.updateValue(checksum.digest, forKey: checksum.algorithm)
        guard before == nil || before == checksum.digest else {
            throw CommandError(setting.origin, "there are two different \(checksum.algorithm.rawValue) for the URL")
        }
    }

    /// How many URLs there are, in words; nil when there is exactly one.
    private var several: String? {
        guard streams.isEmpty else { return "there is a list" }
        return requests.count == 1 ? nil : "there are \(requests.count)"
    }
}
