import WhirlCore

/// Who waits for a slot and who may have one: pure.
///
/// In order of arrival; with a limit per host, hosts take turns.
struct SlotQueue {
    private struct Host {
        var waiting = Line<TaskID>()
        var active = 0
        var isReady = false
    }
    private let jobs: Int
    private let perHost: Int?
    private var hosts: [String: Host] = [:]
    /// Hosts that have someone waiting and room for one.
    private var ready = Line<String>()
    private(set) var active = 0
    private(set) var waiting = 0

    init(jobs: Int, perHost: Int?) {
        self.jobs = jobs
        self.perHost = perHost
    }

    var hasRoom: Bool { active < jobs }

    /// `first`: before all others of its host.
    mutating func enqueue(_ id: TaskID, host: String, first: Bool = false) {
        let name = line(of: host)
        if first {
            hosts[name, default: Host()].waiting.prepend(id)
        } else {
            hosts[name, default: Host()].waiting.append(id)
        }
        waiting += 1
        makeReady(name)
    }

    /// The next one, who then has a slot; nil when all slots are taken or nobody may have one.
    mutating func next() -> (id: TaskID, host: String)? {
        while hasRoom, let name = ready.popFirst() {
            hosts[name]?.isReady = false
            guard let id = hosts[name]?.waiting.popFirst() else { continue }
            waiting -= 1
            active += 1
            hosts[name]?.active += 1
            makeReady(name)
            return (id, name)
        }
        return nil
    }

    /// Gives a slot back.
    mutating func release(host: String) {
        let name = line(of: host)
        active -= 1
        hosts[name]?.active -= 1
        if let host = hosts[name], host.active == 0, host.waiting.isEmpty, !host.isReady {
            hosts[name] = nil
        } else {
            makeReady(name)
        }
    }

    private mutating func makeReady(_ name: String) {
        guard let host = hosts[name], !host.isReady, !host.waiting.isEmpty, host.active < perHost ?? .max else {
            return
        }
        hosts[name]?.isReady = true
        ready.append(name)
    }

    /// Without a limit per host all stand in one line.
    ///
    /// Of a line's name it is the line itself.
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
