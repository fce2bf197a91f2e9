/// One header field (RFC 9110, section 5).
public struct HTTPField: Equatable, Sendable {
    /// As it is written; compared without regard to case.
    public var name: String
    /// Without the blanks around it.
    public var value: String

    /// A field; the name is compared without regard to case.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
