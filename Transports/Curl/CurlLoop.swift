#if Curl
import CWhirlCurl
import Glibc
import Synchronization
import WhirlCore

/// The thread that owns libcurl's multi handle, and the way to it from other threads.
///
/// Everything but `post` and `close` runs on that thread; commands are how the rest of the world reaches it.
@safe final class CurlLoop: @unchecked Sendable {
    enum Command {
        case start(CurlExchange)
        case pause(CurlExchange)
        case unpause(CurlExchange)
        case cancel(CurlExchange)
    }

    private struct Mail {
        var commands: [Command] = []
        var isClosing = false
        /// Nil before the first exchange and once the thread has let go of it: only then may no one wake it.
        var multi: CurlMulti?
        var thread: pthread_t?
    }

    let configuration: CurlTransport.Configuration
    /// Fixed addresses in libcurl's form, for as long as there are transfers.
    let addresses: CurlLines
    private let mail = Mutex(Mail())
    /// Turns of the loop, for the test that an idle loop sleeps.
    let turns = Atomic<Int>(0)
    /// Exchanges given to it that have not ended.
    private let count = Atomic<Int>(0)
    private let thread = Atomic<pthread_t>(0)

    // Of the loop's thread alone.
    private var exchanges: [CurlExchange] = []
    private var connectionLimit = 64
    private var fields: CurlFieldList?
    /// Of exchanges that have ended.
    private var handles: [CurlHandle] = []

    init(_ configuration: CurlTransport.Configuration) {
        self.configuration = configuration
        addresses = CurlLines(configuration.addresses.map(\.line))
    }

    // MARK: Any thread

    var load: Int { count.load(ordering: .relaxed) }
    var isCurrent: Bool { thread.load(ordering: .relaxed) == pthread_self() }

    /// Hands a command over.
    ///
    /// The thread is woken only by the first of a batch, and never by itself, as it looks again before it sleeps.
    func post(_ command: Command) {
        let isLost = mail.withLock { mail in
            guard !mail.isClosing else { return true }
            if mail.multi == nil {
                guard case .start = command, startThread(&mail) else { return true }
            }
            if case .start = command { count.add(1, ordering: .relaxed) }
            mail.commands.append(command)
            if mail.commands.count == 1, mail.thread != pthread_self() { mail.multi?.wakeUp() }
            return false
        }
        if isLost, case .start(let exchange) = command { exchange.endWithoutThread() }
    }

    private func startThread(_ mail: inout Mail) -> Bool {
        guard CurlVersion.isReady, let multi = CurlMulti() else { return false }
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        defer { unsafe pthread_attr_destroy(&attributes) }
        unsafe pthread_attr_setstacksize(&attributes, 512 << 10)
        var thread = pthread_t()
        let context = unsafe Unmanaged.passRetained(self)
        guard unsafe pthread_create(&thread, &attributes, runLoop, context.toOpaque()) == 0 else {
            unsafe context.release()
            multi.free()
            return false
        }
        mail.multi = multi
        mail.thread = thread
        return true
    }

    /// Ends all exchanges as cancelled and returns when the thread has ended, unless it is the caller.
    func close() {
        let thread = mail.withLock { mail in
            mail.isClosing = true
            mail.multi?.wakeUp()
            return mail.thread.take()
        }
        guard let thread else { return }
        if thread == pthread_self() { pthread_detach(thread) } else { pthread_join(thread, nil) }
    }

    // MARK: The loop's thread

    fileprivate func run() {
        blockSignals()
        thread.store(pthread_self(), ordering: .relaxed)
        guard let multi = mail.withLock({ $0.multi }) else { return }
        while true {
            turns.add(1, ordering: .relaxed)
            multi.perform()
            reap(multi)
            // Drained after `perform` and before `poll`: some versions of libcurl swallow a wake-up in `perform`.
            let (hasAdded, isClosing) = drain(multi)
            if isClosing { break }
            if !hasAdded { multi.poll(milliseconds: 1000) }
        }
        while let exchange = exchanges.last { finish(exchange, multi, .cancelled) }
        // Commands of callbacks that came with the last ends have nothing left to act on.
        mail.withLock { mail in
            mail.multi = nil
            mail.commands = []
        }
        handles = []
        multi.free()
    }

    private func reap(_ multi: CurlMulti) {
        while let (exchange, result) = multi.nextFinished() { finish(exchange, multi, .result(result)) }
    }

    private func drain(_ multi: CurlMulti) -> (hasAdded: Bool, isClosing: Bool) {
        var hasAdded = false
        while true {
            let (commands, isClosing) = mail.withLock { mail in
                var commands: [Command] = []
                swap(&commands, &mail.commands)
                return (commands, mail.isClosing)
            }
            for command in commands { hasAdded = perform(command, multi) || hasAdded }
            if commands.isEmpty || isClosing { return (hasAdded, isClosing) }
        }
    }

    /// True when a transfer was added, which must be performed before the loop may sleep.
    private func perform(_ command: Command, _ multi: CurlMulti) -> Bool {
        switch command {
        case .start(let exchange): return start(exchange, multi)
        case .pause(let exchange): exchange.holdBack()
        case .unpause(let exchange):
            if let failure = exchange.letGo() { finish(exchange, multi, .result(failure)) }
        case .cancel(let exchange): finish(exchange, multi, .cancelled)
        }
        return false
    }

    private func start(_ exchange: CurlExchange, _ multi: CurlMulti) -> Bool {
        exchange.index = exchanges.count
        exchanges.append(exchange)
        if exchanges.count > connectionLimit {
            connectionLimit = exchanges.count * 2
            multi.limitConnections(connectionLimit)
        }
        let end = exchange.begin(fieldList(exchange.request.fields), multi)
        if let end { finish(exchange, multi, end) }
        return end == nil
    }

    /// The same fields as those of the exchange before are the usual case, and cost nothing.
    private func fieldList(_ wanted: [HTTPField]) -> CurlFieldList {
        if let fields, fields.fields == wanted { return fields }
        let list = CurlFieldList(wanted)
        fields = list
        return list
    }

    func takeHandle() -> CurlHandle? { handles.popLast() ?? CurlHandle() }

    /// Keeps a handle, which has memory for a piece of a body, for the next exchange.
    func putBack(_ handle: CurlHandle) {
        if handles.count < 64 { handles.append(handle) }
    }

    private func finish(_ exchange: CurlExchange, _ multi: CurlMulti, _ end: CurlExchange.End) {
        guard let index = exchange.index else { return }
        exchange.index = nil
        count.subtract(1, ordering: .relaxed)
        let last = exchanges.removeLast()
        if last !== exchange {
            exchanges[index] = last
            last.index = index
        }
        exchange.finish(end, multi)
    }

    /// The process's signals are not this thread's business, and SIGPIPE, which libcurl would ignore for the whole
    /// process, must not end it.
    private func blockSignals() {
        var all = sigset_t()
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_SETMASK, &all, nil)
    }
}

/// File-level, as a closure made on an actor would trap on this thread.
private let runLoop: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
    if let context = unsafe context { unsafe Unmanaged<CurlLoop>.fromOpaque(context).takeRetainedValue().run() }
    return nil
}
#endif
