#if Curl
import CWhirlCurl

/// libcurl's multi handle: typed, as C knows only `void *`.
@safe struct CurlMulti: @unchecked Sendable {
    private let handle: UnsafeMutableRawPointer

    init?() {
        guard let handle = unsafe curl_multi_init() else { return nil }
        unsafe self.handle = handle
        limitConnections(64)
    }

    func free() { unsafe curl_multi_cleanup(handle) }

    /// The one call that any thread may make.
    func wakeUp() { unsafe curl_multi_wakeup(handle) }

    func perform() {
        var running: Int32 = 0
        unsafe curl_multi_perform(handle, &running)
    }

    func poll(milliseconds: Int32) { unsafe curl_multi_poll(handle, nil, 0, milliseconds, nil) }

    /// How many connections may be kept: libcurl's default shrinks with the number of transfers, and so closes
    /// connections that the next ones could use.
    func limitConnections(_ count: Int) { unsafe whirl_multi_set_long(handle, CURLMOPT_MAXCONNECTS, count) }

    func add(_ easy: UnsafeMutableRawPointer) -> Bool { unsafe curl_multi_add_handle(handle, easy) == CURLM_OK }

    func remove(_ easy: UnsafeMutableRawPointer) { unsafe curl_multi_remove_handle(handle, easy) }

    /// The next transfer that libcurl is done with, and how it went.
    func nextFinished() -> (CurlExchange, CURLcode)? {
        var left: Int32 = 0
        while let message = unsafe curl_multi_info_read(handle, &left) {
            guard unsafe message.pointee.msg == CURLMSG_DONE, let easy = unsafe message.pointee.easy_handle else {
                continue
            }
            let result = unsafe message.pointee.data.result
            var context: UnsafeMutableRawPointer?
            unsafe whirl_get_pointer(easy, CURLINFO_PRIVATE, &context)
            guard let context = unsafe context else { continue }
            return (unsafe Unmanaged<CurlExchange>.fromOpaque(context).takeUnretainedValue(), result)
        }
        return nil
    }
}
#endif
