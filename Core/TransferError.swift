/// Why a transfer failed, in one vocabulary for all transports.
public struct TransferError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of a failure: a bounded set, so that programs can branch on it.
    ///
    /// `rawValue` is the word in JSON.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private enum Storage: String, CaseIterable, Sendable {
            case internalFault = "internal"
            case digestMismatch = "digest_mismatch"
            case changed
            case diskFull = "disk_full"
            case permission, io, usage, unsupported
            case resolve, connect, timeout, stalled, reset, truncated
            case tls
            case malformed = "protocol"
            case http, certificate, redirect
            case tooLarge = "too_large"
            case cancelled
        }
        private let storage: Storage

        private init(_ storage: Storage) { self.storage = storage }

        /// The code of that name; nil when there is none.
        public init?(rawValue: String) {
            guard let storage = Storage(rawValue: rawValue) else { return nil }
            self.storage = storage
        }

        /// The word for programs, such as `truncated`.
        public var rawValue: String { storage.rawValue }
        /// The same word.
        public var description: String { rawValue }

        /// Every code there is.
        public static var all: [Code] { Storage.allCases.map(Code.init) }

        /// A fault of Whirl itself.
        public static let `internal` = Code(.internalFault)
        /// The bytes are not those that were expected.
        public static let digestMismatch = Code(.digestMismatch)
        /// The remote file is not the one a transfer was begun with.
        public static let changed = Code(.changed)
        /// No space, or no quota, for the bytes.
        public static let diskFull = Code(.diskFull)
        /// The destination may not be written.
        public static let permission = Code(.permission)
        /// The destination can't be written for another reason.
        public static let io = Code(.io)
        /// The request makes no sense.
        public static let usage = Code(.usage)
        /// The transport can't do what was asked.
        public static let unsupported = Code(.unsupported)
        /// The host's name could not be resolved.
        public static let resolve = Code(.resolve)
        /// No connection to the host.
        public static let connect = Code(.connect)
        /// A deadline passed before the server answered.
        public static let timeout = Code(.timeout)
        /// No byte came for too long.
        public static let stalled = Code(.stalled)
        /// The connection was lost.
        public static let reset = Code(.reset)
        /// The body ended early.
        public static let truncated = Code(.truncated)
        /// No secure channel.
        public static let tls = Code(.tls)
        /// The server's answer is not HTTP as the RFCs have it; the word is `protocol`.
        public static let malformed = Code(.malformed)
        /// An HTTP status of 400 or above, or one that brings no file.
        public static let http = Code(.http)
        /// The server's certificate is not to be trusted.
        public static let certificate = Code(.certificate)
        /// Too many redirects, or one that may not be followed.
        public static let redirect = Code(.redirect)
        /// More bytes than were allowed.
        public static let tooLarge = Code(.tooLarge)
        /// Ended by the user.
        public static let cancelled = Code(.cancelled)
    }

    /// The kind of failure.
    public var code: Code
    /// A sentence for people, without secrets.
    public var message: String
    /// The transport that found it; nil when it was none.
    public var transport: String?
    /// The transport's own number (a CURLcode, an NSURLError, an errno); nil when there is none.
    public var native: Int?
    /// The HTTP status, when there was an answer.
    public var status: Int?
    /// Whether another attempt may help.
    public var isRetryable: Bool

    /// A failure; `isRetryable` follows from the code unless it is given.
    public init(
        _ code: Code, _ message: String, transport: String? = nil, native: Int? = nil, status: Int? = nil,
        isRetryable: Bool? = nil
    ) {
        self.code = code
        self.message = message
        self.transport = transport
        self.native = native
        self.status = status
        self.isRetryable = isRetryable ?? code.isUsuallyRetryable
    }

    /// The code's word and the sentence.
    public var description: String { "\(code): \(message)" }
}

extension TransferError.Code {
    /// Whether a failure of this kind often passes; of `http` that depends on the status.
    public var isUsuallyRetryable: Bool {
        switch self {
        case .resolve, .connect, .timeout, .stalled, .reset, .truncated, .tls, .malformed: true
        default: false
        }
    }

    /// The exit code that a run with such a failure deserves.
    public var exit: Int32 {
        switch self {
        case .internal: 70
        case .digestMismatch, .changed: 4
        case .diskFull, .permission, .io: 3
        case .usage, .unsupported: 2
        case .cancelled: 5
        default: 1
        }
    }
}
