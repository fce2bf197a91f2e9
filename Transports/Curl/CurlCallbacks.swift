#if Curl
import CWhirlCurl
import WhirlCore

// What libcurl calls, on the loop's thread. All are file-level constants: a closure made within a function that runs on
// an actor would belong to that actor, and trap here.

private func exchange<Result>(_ context: UnsafeMutableRawPointer?, _ body: (CurlExchange) -> Result) -> Result? {
    guard let context = unsafe context else { return nil }
    return unsafe Unmanaged<CurlExchange>.fromOpaque(context)._withUnsafeGuaranteedRef(body)
}

let receiveBody: whirl_data_function = { bytes, size, count, context in
    let piece = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
    // Any number but that of the bytes breaks the transfer off.
    return unsafe exchange(context) { unsafe $0.receive(piece) } ?? -1
}

let readHeader: whirl_data_function = { bytes, size, count, context in
    let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
    return unsafe exchange(context) { unsafe $0.readHeader(line) } ?? -1
}

let beginResolving: whirl_resolver_function = { _, _, context in
    unsafe exchange(context) { $0.enter(.resolving) }
    return 0
}

let beginConnecting: whirl_socket_function = { context, socket, _ in
    unsafe exchange(context) { $0.connect(socket) }
    return CURL_SOCKOPT_OK
}

let beginTLS: whirl_tls_function = { _, _, context in
    unsafe exchange(context) { $0.enter(.tls) }
    return CURLE_OK
}

let beginRequest: whirl_request_function = { context, _, _, _, _ in
    unsafe exchange(context) { $0.enter(.waiting) }
    return CURL_PREREQFUNC_OK
}
#endif
