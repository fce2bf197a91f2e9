#if Curl
import CWhirlCurl

/// Lines of text in libcurl's form; transfers in flight share them, the last one to let go frees them.
@safe final class CurlLines {
    /// Nil when there are none.
    private(set) var list: UnsafeMutablePointer<curl_slist>?

    init(_ lines: [String]) {
        for line in lines { unsafe list = curl_slist_append(list, line) }
    }

    deinit { unsafe curl_slist_free_all(list) }
}
#endif
