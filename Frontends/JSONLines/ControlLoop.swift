import Glibc
import Synchronization
import WhirlBoard
import WhirlCore

/// What the thread of a control port does: waits for bytes, connections and records, and brings them where they belong.
struct ControlLoop {
    /// So many may be connected at a time.
    private static let mostClients = 64
    /// Nanoseconds between two `progress` records of a task.
    private static let interval: UInt64 = 500_000_000
    /// How long those who are connected may take for the end, in nanoseconds.
    private static let farewell: UInt64 = 1_000_000_000

    private let port: ControlPort
    private let actions: ControlPort.Actions
    private var input: Int32?
    private var lines = LineSplitter(longest: ControlPort.longestLine)
    private var clients: [ControlClient] = []
    private var nextProgress: UInt64 = 0
    /// There was no descriptor for a connection: tried again then.
    private var acceptsFrom: UInt64 = 0

    init(_ port: ControlPort, _ actions: ControlPort.Actions) {
        self.port = port
        self.actions = actions
        input = port.input
    }

    mutating func run() {
        while tell() { wait() }
        let limit = port.clock() + Self.farewell
        while clients.contains(where: \.hasWaiting), port.clock() < limit { wait(until: limit, isClosing: true) }
    }

    // MARK: out

    /// Tells clients what waits for them; false when it was the last.
    private mutating func tell() -> Bool {
        let now = port.clock()
        let (queue, isClosing) = port.state.withLock { state in
            defer { state.queue = [] }
            return (state.queue, state.isClosing)
        }
        for (record, only) in queue {
            for client in clients where only == nil || only == client.descriptor { client.put(record, at: now) }
        }
        if !clients.isEmpty, now >= nextProgress { tellProgress(at: now) }
        for client in clients {
            client.flush(isLast: isClosing, at: now)
            client.send()
        }
        forgetThoseGone()
        return !isClosing
    }

    private mutating func tellProgress(at now: UInt64) {
        let news = port.state.withLock { $0.picture.takeNews() }
        guard !news.isEmpty else { return }
        nextProgress = now + Self.interval
        var late: [TaskID] = []
        for (id, snapshot) in news {
            for client in clients where !client.put(id, snapshot, at: now) { late.append(id) }
        }
        guard !late.isEmpty else { return }
        port.state.withLock { state in late.forEach { state.picture.keepNews(of: $0) } }
    }

    private mutating func forgetThoseGone() {
        guard clients.contains(where: \.isGone) else { return }
        clients.removeAll(where: \.isGone)
        port.state.withLock { $0.watchers = clients.count }
    }

    // MARK: in

    private mutating func wait(until limit: UInt64? = nil, isClosing: Bool = false) {
        let now = port.clock()
        let listens = !isClosing && port.socket != nil && now >= acceptsFrom
        var entries = [pollfd(fd: isClosing ? -1 : port.waker.descriptor, events: Int16(POLLIN), revents: 0)]
        entries.append(pollfd(fd: isClosing ? -1 : input ?? -1, events: Int16(POLLIN), revents: 0))
        entries.append(pollfd(fd: listens ? port.socket?.descriptor ?? -1 : -1, events: Int16(POLLIN), revents: 0))
        for client in clients {
            let events = (client.isSilent || isClosing ? 0 : POLLIN) | (client.hasWaiting ? POLLOUT : 0)
            entries.append(pollfd(fd: client.descriptor, events: Int16(events), revents: 0))
        }
        guard unsafe poll(&entries, nfds_t(entries.count), pause(limit, at: now)) > 0 else { return }
        if entries[0].revents != 0 { port.waker.clear() }
        if entries[1].revents != 0 { read() }
        for (client, entry) in zip(clients, entries[3...]) where entry.revents != 0 {
            serve(client, Int32(entry.revents), isClosing: isClosing)
        }
        forgetThoseGone()
        if entries[2].revents != 0 { welcome() }
    }

    /// Milliseconds until there is something to do of itself; -1: nothing.
    private func pause(_ limit: UInt64?, at now: UInt64) -> Int32 {
        var due = clients.compactMap(\.due)
        if let limit { due.append(limit) }
        if acceptsFrom > now { due.append(acceptsFrom) }
        if !clients.isEmpty, port.state.withLock({ $0.picture.hasNews }) { due.append(nextProgress) }
        guard let first = due.min() else { return -1 }
        return first > now ? Int32((first - now) / 1_000_000 + 1) : 0
    }

    private func serve(_ client: ControlClient, _ events: Int32, isClosing: Bool) {
        if events & POLLOUT != 0 { client.send() }
        if !client.isSilent, !isClosing, events & (POLLIN | POLLHUP | POLLERR) != 0 {
            for line in client.receive() { take(line, from: client) }
        } else if events & (POLLHUP | POLLERR) != 0 {
            client.hangUp()
        }
    }

    private func take(_ line: [UInt8]?, from client: ControlClient?) {
        port.state.withLock { $0.asking = client?.descriptor }
        actions.take(line)
        port.state.withLock { $0.asking = nil }
    }

    private mutating func read() {
        guard let input else { return }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = unsafe Glibc.read(input, &buffer, buffer.count)
        if count > 0 {
            for line in lines.append(buffer[..<count]) { take(line, from: nil) }
        } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
            let reason = count == 0 ? nil : LineWriter.Failure(number: errno, written: 0).description
            self.input = nil
            if let line = lines.finish() { take(line, from: nil) }
            actions.ended(reason)
        }
    }

    private mutating func welcome() {
        guard let socket = port.socket else { return }
        while true {
            let (connection, reason) = socket.accept()
            guard let connection else {
                // Out of descriptors: whoever waits would be seen again at once.
                if reason != EAGAIN { acceptsFrom = port.clock() + 1_000_000_000 }
                return
            }
            if clients.count < Self.mostClients { welcome(connection) } else { close(connection) }
        }
    }

    private mutating func welcome(_ connection: Int32) {
        let now = port.clock()
        let client = ControlClient(connection, longestLine: ControlPort.longestLine, patience: port.patience, at: now)
        // What waits is part of the picture, and only the others are still to be told of it.
        let (queue, picture, beginning) = port.state.withLock { state in
            state.watchers = clients.count + 1
            defer { state.queue = [] }
            return (state.queue, state.picture, state.beginning)
        }
        for (record, only) in queue {
            for other in clients where only == nil || only == other.descriptor { other.put(record, at: now) }
        }
        let passed = seconds(from: beginning?.at ?? now, to: now)
        let begin = beginning?.moment ?? Moment(elapsed: 0, time: 0)
        client.begin(
            with: picture,
            at: Moment(elapsed: begin.elapsed + passed, time: begin.time + Int64(passed * 1e6)), now)
        clients.append(client)
        client.send()
    }
}
