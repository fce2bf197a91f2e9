#if Curl
import CWhirlCurl
import WhirlCore

/// One of libcurl's easy handles, used for one exchange after another: making and setting one costs a tenth of the
/// fetching of a small file.
///
/// Of the loop's thread alone.
@safe final class CurlHandle {
    /// What is set on it beside what every exchange has of its own.
    private struct Shape: Equatable {
        let method: String
        let isSecure: Bool
        let connectTimeout: Double?
        let rate: Int64?
    }

    let easy: UnsafeMutableRawPointer
    /// Where libcurl writes what went wrong.
    let message: UnsafeMutablePointer<CChar>
    private var shape: Shape?
    /// Held, as libcurl keeps no copy.
    private var fields: CurlFieldList?

    init?() {
        guard let easy = unsafe curl_easy_init() else { return nil }
        unsafe self.easy = easy
        unsafe message = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe message.initialize(to: 0)
    }

    deinit {
        unsafe curl_easy_cleanup(easy)
        unsafe message.deallocate()
    }

    /// Sets all that the exchange needs; `context` goes to the callbacks.
    func prepare(
        _ request: ExchangeRequest, _ fields: CurlFieldList, _ loop: CurlLoop, context: UnsafeMutableRawPointer
    ) {
        let shape = Shape(
            method: request.method, isSecure: CurlOptions.isSecure(request), connectTimeout: request.connectTimeout,
            rate: request.rate)
        if shape != self.shape || fields !== self.fields {
            if self.shape != nil { unsafe curl_easy_reset(easy) }
            unsafe CurlOptions.apply(request, fields, loop.configuration, to: easy)
            unsafe whirl_set_pointer(easy, CURLOPT_ERRORBUFFER, message)
            if let list = unsafe loop.addresses.list { unsafe whirl_set_list(easy, CURLOPT_RESOLVE, list) }
            (self.shape, self.fields) = (shape, fields)
        }
        unsafe message[0] = 0
        _ = unsafe request.url.withCString { unsafe whirl_set_string(easy, CURLOPT_URL, $0) }
        unsafe CurlOptions.apply(context, to: easy)
    }
}
#endif
