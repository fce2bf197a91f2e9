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
        guard requests.count == 1, streams.isEmpty else {
            let count = streams.isEmpty ? "there are \(requests.count)" : "there is a list"
            throw CommandError(output.origin, "names one file, for one URL, and \(count); use -d or out= in a list")
        }
        let path = output.value.description
        requests[0].destination = path == "-" ? .standardOutput : .path(path)
    }
}
