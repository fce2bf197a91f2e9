/// What holds of every call of a handler.
///
/// A promise judges by the laws it is about, and by no other: a fault of a transport breaks the promises that speak of it.
struct Law: OptionSet {
    let rawValue: Int

    /// A head before any body, one call at a time, no body of no bytes.
    static let order = Law(rawValue: 1)
    /// One end, and no call after it.
    static let once = Law(rawValue: 2)
    /// The bytes are those of the body, each once, in order.
    static let bytes = Law(rawValue: 4)
    /// No head of an informational response.
    static let final = Law(rawValue: 8)
}
