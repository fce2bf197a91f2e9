import Glibc
import WhirlBoard
public import WhirlCore

extension JSONLines {
    /// How to stream.
    public struct Configuration: Sendable {
        /// Where to.
        public var output = Output.descriptor(1)
        /// What people call that; nil: as it is.
        public var outputName: String?
        /// Seconds between two `progress` records of a task; nil: there are none.
        public var progressInterval: Double? = 0.5
        /// Seconds until a stream that could not be written is tried again.
        var retryInterval = 5.0

        /// The defaults.
        public init() {}
    }

    /// Where a stream goes.
    public enum Output: Equatable, Sendable {
        /// An open descriptor, which stays open.
        case descriptor(Int32)
        /// A file that is made, or emptied.
        case file(String)

        /// Reads `fd:N` or the path of a file.
        public init(_ text: String) throws(TransferError) {
            guard text.hasPrefix("fd:") else {
                self = .file(text)
                return
            }
            guard let number = Int32(text.dropFirst(3)), number >= 0 else {
                throw TransferError(.usage, "\(clean(text)) is no descriptor; write fd: and a number, such as fd:3")
            }
            self = .descriptor(number)
        }

        /// What people call it.
        var name: String {
            switch self {
            case .descriptor(1): "the standard output"
            case .descriptor(2): "the standard error"
            case .descriptor(let number): "fd:\(number)"
            case .file(let path): clean(path)
            }
        }

        func open() throws(TransferError) -> Int32 {
            switch self {
            case .descriptor(let descriptor):
                let flags = fcntl(descriptor, F_GETFL)
                guard flags >= 0, flags & O_ACCMODE != O_RDONLY else {
                    throw TransferError(
                        .usage,
                        "the stream can't be written: \(name) is not open for writing; whoever starts whirl has to open it"
                    )
                }
                return descriptor
            case .file(let path):
                let descriptor = unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
                guard descriptor >= 0 else {
                    throw TransferError(
                        .usage, "\(clean(path)) can't be written", number: errno, advice: "choose another place")
                }
                return descriptor
            }
        }
    }
}
