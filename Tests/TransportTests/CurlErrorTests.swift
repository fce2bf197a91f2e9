#if Curl
import Testing
import WhirlCore

@testable import WhirlCurl

@Suite("curl: errors by number") struct CurlErrorTests {
    static let groups: [(TransferError.Code, [UInt32])] = [
        (.resolve, [5, 6]), (.connect, [7, 45, 97]), (.timeout, [28]), (.truncated, [18]),
        (.reset, [16, 52, 55, 56, 92]), (.tls, [35, 53, 54, 59, 64, 66, 80]),
        (.certificate, [58, 60, 77, 82, 83, 90, 91]), (.malformed, [1, 8, 27, 61, 96]), (.usage, [3]),
        (.internal, [2, 23, 42, 43]),
    ]

    @Test("each number has its code", arguments: groups.flatMap { group in group.1.map { (group.0, $0) } })
    func codes(_ code: TransferError.Code, _ number: UInt32) {
        #expect(CurlError.code(number) == code)
    }

    @Test("chunks that make no sense are no lost connection, though their number is the same")
    func chunks() {
        #expect(CurlError.code(56, "Illegal or missing hexadecimal sequence in chunked-encoding") == .malformed)
        #expect(CurlError.code(56, "Recv failure: Connection reset by peer") == .reset)
    }

    @Test("more fields than libcurl takes are no lost connection, though their number is the same")
    func fields() {
        #expect(CurlError.code(56, "Too large response headers: 307222 > 307200") == .malformed)
    }

    @Test("failures that may pass are tried again, others not")
    func retryable() {
        for number: UInt32 in [6, 7, 18, 28, 35, 52, 56] { #expect(CurlError.code(number).isUsuallyRetryable) }
        for number: UInt32 in [3, 23, 60] { #expect(!CurlError.code(number).isUsuallyRetryable) }
    }
}
#endif
