import Glibc
import Synchronization
import Testing
import WhirlCore
import WhirlLoopback
import WhirlSession

#if Curl
import WhirlCurl
#endif
#if URLSession
import WhirlURLSession
#endif

/// The transports that every promise of the session holds over.
enum Backend: String, CaseIterable, Sendable, CustomTestStringConvertible {
    #if Curl
    case curl
    #endif
    #if URLSession
    case urlsession
    #endif

    var testDescription: String { rawValue }

    func make() -> any Transport {
        switch self {
        #if Curl
        case .curl: CurlTransport()
        #endif
        #if URLSession
        case .urlsession: URLSessionTransport()
        #endif
        }
    }
}

/// A fresh folder, gone with the value.
final class Folder: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/whirl-test-XXXXXX".utf8CString)
        let made = unsafe template.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress, let made = unsafe mkdtemp(start) else { return nil as String? }
            return unsafe String(cString: made)
        }
        path = made ?? "/nonexistent"
    }

    deinit {
        for name in names { unsafe unlink("\(path)/\(name)") }
        unsafe rmdir(path)
    }

    /// What is in the folder, sorted.
    var names: [String] {
        guard let folder = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) {
                unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    func read(_ name: String) -> [UInt8]? {
        let file = unsafe open("\(path)/\(name)", O_RDONLY)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe Glibc.read(file, &buffer, buffer.count)
            guard count > 0 else { return bytes }
            bytes += buffer.prefix(count)
        }
    }

    func write(_ name: String, _ text: String) {
        let file = unsafe open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        _ = unsafe Glibc.write(file, text, text.utf8.count)
        close(file)
    }
}

extension TransferTask {
    /// Waits until the task's snapshot is so; the newest one in any case.
    @discardableResult
    func until(_ condition: @escaping @Sendable (TaskSnapshot) -> Bool) async -> TaskSnapshot {
        var last = life.snapshot
        for await update in life.updates {
            last = update.snapshot
            if condition(last) { break }
        }
        return last
    }

    /// Waits for the end.
    func outcome() async -> TaskOutcome? { await until { $0.outcome != nil }.outcome }
}

/// The events of a task from now on, progress left out.
final class EventLog: Sendable {
    private let log = Mutex<[TaskEvent]>([])
    private let observation: Mutex<Observation?> = Mutex(nil)

    init(_ task: any TransferTask) {
        let observation = task.life.observe { [self] update in
            if let event = update.event, event != .progress { log.withLock { $0.append(event) } }
        }
        self.observation.withLock { $0 = observation }
    }

    var events: [TaskEvent] { log.withLock { $0 } }
}

extension TaskOutcome {
    var error: TransferError? { if case .failed(let error) = self { error } else { nil } }
    var isCompleted: Bool { if case .completed = self { true } else { false } }
}

extension SessionConfiguration {
    init(in folder: Folder) {
        self.init()
        directory = folder.path
    }
}
