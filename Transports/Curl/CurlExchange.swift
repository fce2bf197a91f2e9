#if Curl
import CWhirlCurl
import Glibc
import Synchronization
import WhirlCore

/// One transfer: what callers hold, and what the loop's thread keeps of it.
@safe final class CurlExchange: Exchange, @unchecked Sendable {
    /// Why it is over.
    enum End {
        case result(CURLcode)
        case failed(TransferError)
        case cancelled
    }

    let request: ExchangeRequest
    private let loop: CurlLoop
    private let isCancelled = Atomic<Bool>(false)

    // Of the loop's thread alone.
    /// Its place among the loop's exchanges; nil before the start and after the end.
    var index: Int?
    private var handler: (any ExchangeHandler)?
    private var handle: CurlHandle?
    private var isAdded = false
    private var reader = HeadReader()
    private var phase: TaskPhase?
    /// The handler wants no more bytes for now: `pause()` was called, or its last verdict was `full`.
    private var isHeld = false
    /// libcurl itself gives no more bytes for now.
    private var isPaused = false
    private var isDiscarding = false
    private var discarded = 0
    /// Why a callback broke the transfer off; nil: it did not.
    private var verdict: ExchangeOutcome.Result?

    init(_ request: ExchangeRequest, _ handler: any ExchangeHandler, _ loop: CurlLoop) {
        self.request = request
        self.handler = handler
        self.loop = loop
    }

    // MARK: Any thread

    func pause() { loop.post(.pause(self)) }

    func unpause() { loop.post(.unpause(self)) }

    func cancel() {
        // Set at once, so that no byte is given from here on, even if the loop is busy.
        guard !isCancelled.exchange(true, ordering: .relaxed) else { return }
        loop.post(.cancel(self))
    }

    /// No thread could be made: the one end that comes on the caller's.
    func endWithoutThread() {
        handler.take()?.end(
            ExchangeOutcome(.failed(TransferError(.internal, "libcurl could not be started", transport: "curl"))))
    }

    // MARK: The loop's thread

    /// Puts the request under way; its end, when that is not possible.
    func begin(_ fields: CurlFieldList, _ multi: CurlMulti) -> End? {
        if isCancelled.load(ordering: .relaxed) { return .cancelled }
        if let error = CurlOptions.complaint(request, fields) { return .failed(error) }
        guard let handle = loop.takeHandle() else { return .result(CURLE_FAILED_INIT) }
        self.handle = handle
        // Not retained: the loop holds the exchange for as long as it has the handle.
        unsafe handle.prepare(request, fields, loop, context: Unmanaged.passUnretained(self).toOpaque())
        isAdded = unsafe multi.add(handle.easy)
        return isAdded ? nil : .result(CURLE_FAILED_INIT)
    }

    /// Does what `pause()` asks.
    ///
    /// Before the first byte of the body a mark is enough: libcurl can't pause a transfer that has no
    /// connection yet, and forgets it in the course of connecting.
    func holdBack() {
        guard index != nil, !isHeld else { return }
        isHeld = true
        guard reader.isDone, !isDiscarding, !isPaused, let handle else { return }
        isPaused = unsafe curl_easy_pause(handle.easy, CURLPAUSE_RECV) == CURLE_OK
    }

    /// Does what `unpause()` asks.
    ///
    /// What libcurl kept is given to the handler within this call; should that fail, libcurl itself would
    /// forget it and call the transfer a success (curl#13337), so the result returned here is the transfer's.
    func letGo() -> CURLcode? {
        guard index != nil, isHeld else { return nil }
        isHeld = false
        guard isPaused, let handle else { return nil }
        isPaused = false
        let result = unsafe curl_easy_pause(handle.easy, CURLPAUSE_CONT)
        return result == CURLE_OK ? nil : result
    }

    /// Gives libcurl's handle back and tells the handler.
    ///
    /// Not within a callback of libcurl.
    func finish(_ end: End, _ multi: CurlMulti) {
        let outcome = outcome(end)
        if let handle = handle.take() {
            if isAdded { unsafe multi.remove(handle.easy) }
            // After anything but a smooth end a new one is surer.
            if outcome.result == .finished { loop.putBack(handle) }
        }
        handler.take()?.end(outcome)
    }

    private func outcome(_ end: End) -> ExchangeOutcome {
        if isCancelled.load(ordering: .relaxed) { return ExchangeOutcome(.cancelled) }
        switch end {
        case .cancelled: return ExchangeOutcome(.cancelled)
        case .failed(let error): return ExchangeOutcome(.failed(error))
        case .result(let code):
            return ExchangeOutcome(verdict ?? result(code), timings: handle.map { unsafe CurlTimings.of($0.easy) })
        }
    }

    private func result(_ code: CURLcode) -> ExchangeOutcome.Result {
        if code == CURLE_OK, reader.isDone { return .finished }
        var error = TransferError(.reset, "the connection was lost within the header block", transport: "curl")
        // A head that is cut short is a success to libcurl, or a short body when a length was in it.
        if (code != CURLE_OK && code != CURLE_PARTIAL_FILE) || reader.isDone {
            error = unsafe CurlError.error(code, handle?.message)
        }
        error.native = Int(code.rawValue)
        error.status = reader.isDone ? reader.status : nil
        return .failed(error)
    }

    // MARK: libcurl's callbacks

    func enter(_ phase: TaskPhase) {
        // libcurl may try several addresses: a phase is told once in a row.
        guard phase != self.phase, !isCancelled.load(ordering: .relaxed) else { return }
        self.phase = phase
        handler?.enter(phase)
    }

    /// A socket has been made.
    func connect(_ socket: curl_socket_t) {
        enter(.connecting)
        guard let rate = request.rate else { return }
        var size = Int32(CurlOptions.bufferSize(rate))
        // Should it fail, there is just more in the buffer.
        unsafe setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }

    /// A line of a header block; the number of bytes taken, another one breaks the transfer off.
    func readHeader(_ line: UnsafeRawBufferPointer) -> Int {
        guard !isCancelled.load(ordering: .relaxed) else { return -1 }
        switch unsafe reader.read(line) {
        case .more: break
        case .wrong(let message):
            verdict = .failed(TransferError(.malformed, message, transport: "curl", isRetryable: false))
            return -1
        case .head(let head):
            switch handler?.head(head) ?? .abort {
            case .accept: break
            case .discard: isDiscarding = true
            case .abort:
                verdict = .cancelled
                return -1
            }
        }
        return line.count
    }

    /// A piece of the body; the number of bytes taken, or a word to libcurl.
    func receive(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard !isCancelled.load(ordering: .relaxed), let handler else { return -1 }
        if isDiscarding { return discard(bytes.count) }
        guard !isHeld else { return hold() }
        switch unsafe handler.body(RawSpan(_unsafeBytes: bytes)) {
        case .more: return bytes.count
        case .full: return hold()
        case .stop:
            verdict = .cancelled
            return -1
        }
    }

    private func hold() -> Int {
        (isHeld, isPaused) = (true, true)
        return Int(CURL_WRITEFUNC_PAUSE)
    }

    /// A connection is worth so many bytes; beyond them a new one is cheaper.
    private func discard(_ count: Int) -> Int {
        discarded += count
        guard discarded > Self.discardLimit else { return count }
        verdict = .finished
        return -1
    }

    private static let discardLimit = 256 << 10
}
#endif
