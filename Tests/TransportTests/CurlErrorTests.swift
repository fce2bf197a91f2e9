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

    @Test("each kind has its sentence, in front of libcurl's own words")
    func sentences() {
        let sentences: [(TransferError.Code, String)] = [
            (.resolve, "the host's name could not be resolved"), (.connect, "no connection to the host"),
            (.timeout, "the server took too long"), (.reset, "the connection was lost"),
            (.truncated, "the body ended early"),
            (.certificate, "the server's certificate is not to be trusted"),
            (.tls, "no secure channel to the host"), (.usage, "the URL can't be fetched"),
            (.internal, "libcurl can't do this"), (.malformed, "the server's answer is not understood"),
        ]
        for (code, sentence) in sentences { #expect(CurlError.sentence(code) == sentence) }
        #expect(CurlError.code(56, "CONNECT tunnel failed, response 403") == .connect)
    }

    @Test("failures that may pass are tried again, others not")
    func retryable() {
        for number: UInt32 in [6, 7, 18, 28, 35, 52, 56] { #expect(CurlError.code(number).isUsuallyRetryable) }
        for number: UInt32 in [3, 23, 60] { #expect(!CurlError.code(number).isUsuallyRetryable) }
    }
}
#endif
