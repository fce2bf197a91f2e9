/// A value of JSON (RFC 8259) as it was read.
enum JSONItem: Equatable {
    case null
    case bool(Bool)
    /// A number without fraction and exponent that fits.
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONItem])
    /// In the order they stand; of two with one name the last counts.
    case object([Member])

    struct Member: Equatable {
        let name: String
        let value: JSONItem
    }

    subscript(_ name: StaticString) -> JSONItem? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.name == name }?.value
    }
}

/// By bytes: names of ours are ASCII, and compared for every member of every line.
private func == (name: String, word: StaticString) -> Bool {
    name.utf8.count == word.utf8CodeUnitCount
        && word.withUTF8Buffer { bytes in unsafe name.utf8.elementsEqual(bytes) }
}
