/// What a task is to do.
public struct TaskDescription: Equatable, Sendable {
    /// Without secrets.
    public var url: String
    /// A path, or `-` for the standard output.
    public var destination: String
    /// Names the same work in another run: a hash of URL and destination.
    public var key: String

    /// A description.
    public init(url: String, destination: String, key: String) {
        self.url = url
        self.destination = destination
        self.key = key
    }
}
