import WhirlCore

/// Who waits for a slot and who may have one: pure.
///
/// In order of arrival; with a limit per host, hosts take turns.
struct SlotQueue {
    private struct Place {
        let id: TaskID
        let host: String
    }
    private struct Host {
        var waiting = Line<Place>()
        var active = 0
        var isReady = false
    }
    var jobs: Int
    private let perHost: Int?
    private var hosts: [String: Host] = [:]
    /// In place of them without a limit per host: all stand in one line.
    private var single = Host()
    /// Hosts that have someone waiting and room for one.
    private var ready = Line<String>()
    private(set) var active = 0
    private(set) var waiting = 0
    /// Hosts that asked to be left alone for a while, and who waits for them.
    private var resting: [String: (until: UInt64, waiting: [TaskID])] = [:]

    init(jobs: Int, perHost: Int?) {
        self.jobs = jobs
        self.perHost = perHost
    }

    var hasRoom: Bool { active < jobs }

    /// `first`: before all others of its host.
    mutating func enqueue(_ id: TaskID, host: String, first: Bool = false) {
        let name = line(of: host)
        let place = Place(id: id, host: host)
        change(name) { line in
            if first { line.waiting.prepend(place) } else { line.waiting.append(place) }
        }
        waiting += 1
        makeReady(name)
    }

    /// Nobody for that host is next before `instant`.
    mutating func rest(host: String, until instant: UInt64) {
        resting[host] = (max(instant, resting[host]?.until ?? 0), resting[host]?.waiting ?? [])
    }

    /// The next one, who then has a slot; nil when all slots are taken or nobody may have one.
    mutating func next(at now: UInt64) -> (id: TaskID, host: String)? {
        if !resting.isEmpty { wake(at: now) }
        while hasRoom, let name = ready.popFirst() {
            let place = change(name) { line in
                line.isReady = false
                return line.waiting.popFirst()
            }
            guard let place else { continue }
            guard resting[place.host] == nil else {
                resting[place.host]?.waiting.append(place.id)
                makeReady(name)
                continue
            }
            waiting -= 1
            active += 1
            change(name) { $0.active += 1 }
            makeReady(name)
            return (place.id, name)
        }
        return nil
    }

    private mutating func wake(at now: UInt64) {
        for (host, rest) in resting where rest.until <= now {
            resting[host] = nil
            waiting -= rest.waiting.count
            for id in rest.waiting.reversed() { enqueue(id, host: host, first: true) }
        }
    }

    /// Gives a slot back.
    mutating func release(host: String) {
        let name = line(of: host)
        active -= 1
        let isIdle = change(name) { line in
            line.active -= 1
            return line.active == 0 && line.waiting.isEmpty && !line.isReady
        }
        if !isIdle { makeReady(name) } else if perHost != nil { hosts[name] = nil }
    }

    private mutating func makeReady(_ name: String) {
        let limit = perHost ?? .max
        let isNew = change(name) { line in
            guard !line.isReady, !line.waiting.isEmpty, line.active < limit else { return false }
            line.isReady = true
            return true
        }
        if isNew { ready.append(name) }
    }

    private mutating func change<Value>(_ name: String, _ body: (inout Host) -> Value) -> Value {
        perHost == nil ? body(&single) : body(&hosts[name, default: Host()])
    }

    /// The name of a host's line; of a line's name it is the line itself.
    private func line(of host: String) -> String { perHost == nil ? "" : host }
}

/// First in, first out, in one array.
struct Line<Element> {
    private var elements: [Element?] = []
    private var head = 0

    var isEmpty: Bool { head == elements.count }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func prepend(_ element: Element) {
        if head > 0 {
            head -= 1
            elements[head] = element
        } else {
            elements.insert(element, at: 0)
        }
    }

    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        let element = elements[head]
        elements[head] = nil
        head += 1
        if head == elements.count {
            elements.removeAll(keepingCapacity: true)
            head = 0
        } else if head > 1024, head * 2 > elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }
}
