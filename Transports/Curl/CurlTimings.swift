#if Curl
import CWhirlCurl
import WhirlCore

/// libcurl's clock readings as durations.
enum CurlTimings {
    static func of(_ easy: UnsafeMutableRawPointer) -> ExchangeTimings {
        var timings = ExchangeTimings()
        let resolved = unsafe microseconds(easy, CURLINFO_NAMELOOKUP_TIME_T)
        let connected = unsafe microseconds(easy, CURLINFO_CONNECT_TIME_T)
        let secured = unsafe microseconds(easy, CURLINFO_APPCONNECT_TIME_T)
        let ready = unsafe microseconds(easy, CURLINFO_PRETRANSFER_TIME_T)
        let answered = unsafe microseconds(easy, CURLINFO_STARTTRANSFER_TIME_T)
        let total = unsafe microseconds(easy, CURLINFO_TOTAL_TIME_T)
        if unsafe madeConnection(easy) {
            timings.dns = resolved > 0 ? Double(resolved) / 1000 : nil
            // As HAR has it, the time for TLS is within that for the connection too.
            timings.connect = span(resolved, max(connected, secured))
            timings.ssl = secured > 0 ? span(connected, secured) : nil
        }
        timings.wait = span(ready, answered)
        timings.receive = answered > 0 ? span(answered, total) : nil
        return timings
    }

    private static func span(_ from: Int, _ to: Int) -> Double? {
        from > 0 && to >= from ? Double(to - from) / 1000 : nil
    }

    private static func microseconds(_ easy: UnsafeMutableRawPointer, _ info: CURLINFO) -> Int {
        var value: curl_off_t = 0
        unsafe whirl_get_offset(easy, info, &value)
        return value
    }

    /// False when a connection was used again: its readings would be those of another exchange.
    private static func madeConnection(_ easy: UnsafeMutableRawPointer) -> Bool {
        var count = 0
        unsafe whirl_get_long(easy, CURLINFO_NUM_CONNECTS, &count)
        return count > 0
    }
}
#endif
