private import CWhirlYAML

/// A place in a file; both count from 1.
struct Mark: Equatable, Sendable {
    var line: Int
    var column: Int
}

/// What is wrong with a file, and where.
struct YAMLError: Error {
    let mark: Mark
    let message: Sentence
}

/// One step of a YAML stream.
///
/// What Whirl's configuration has no use for is `other` and is named.
enum YAMLEvent {
    case scalar(String, isPlain: Bool, Mark)
    case sequenceStart(Mark)
    case sequenceEnd
    case mappingStart(Mark)
    case mappingEnd
    case documentStart(Mark)
    case documentEnd
    case streamStart
    case streamEnd
    /// An anchor, alias or tag.
    case other(String, Mark)
}

/// The steps of a YAML stream, by libyaml.
@safe struct YAMLEvents: ~Copyable {
    private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    private let text: UnsafeMutableBufferPointer<UInt8>
    /// How many mappings and lists are open; libyaml takes the square of it in time.
    private var depth = 0

    init(_ bytes: [UInt8]) {
        unsafe text = .allocate(capacity: bytes.count)
        _ = unsafe text.initialize(from: bytes)
        let isReady = unsafe yaml_parser_initialize(parser)
        precondition(isReady == 1, "no memory for a YAML parser")
        unsafe yaml_parser_set_input_string(parser, text.baseAddress, text.count)
    }

    deinit {
        unsafe yaml_parser_delete(parser)
        unsafe parser.deallocate()
        unsafe text.deallocate()
    }

    /// The next step; throws for what is nested without sense, too.
    mutating func next() throws(YAMLError) -> YAMLEvent {
        let event = try step()
        switch event {
        case .mappingStart(let mark), .sequenceStart(let mark):
            depth += 1
            if depth > 32 {
                throw YAMLError(mark: mark, message: "nested too deeply; a setting takes a value or a list")
            }
        case .mappingEnd, .sequenceEnd: depth -= 1
        default: break
        }
        return event
    }

    private func step() throws(YAMLError) -> YAMLEvent {
        var event = unsafe yaml_event_t()
        guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw problem() }
        defer { unsafe yaml_event_delete(&event) }
        let mark = unsafe Self.mark(event.start_mark)
        switch unsafe event.type {
        case YAML_STREAM_START_EVENT: return .streamStart
        case YAML_STREAM_END_EVENT: return .streamEnd
        case YAML_DOCUMENT_START_EVENT: return .documentStart(mark)
        case YAML_DOCUMENT_END_EVENT: return .documentEnd
        case YAML_SEQUENCE_END_EVENT: return .sequenceEnd
        case YAML_MAPPING_END_EVENT: return .mappingEnd
        case YAML_ALIAS_EVENT: return .other("an alias (*)", mark)
        case YAML_SEQUENCE_START_EVENT:
            let start = unsafe event.data.sequence_start
            return unsafe Self.extra(start.anchor, start.tag, mark) ?? .sequenceStart(mark)
        case YAML_MAPPING_START_EVENT:
            let start = unsafe event.data.mapping_start
            return unsafe Self.extra(start.anchor, start.tag, mark) ?? .mappingStart(mark)
        case YAML_SCALAR_EVENT:
            let scalar = unsafe event.data.scalar
            if let extra = unsafe Self.extra(scalar.anchor, scalar.tag, mark) { return extra }
            let bytes = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            let isPlain = unsafe scalar.style == YAML_PLAIN_SCALAR_STYLE
            return unsafe .scalar(String(decoding: bytes, as: UTF8.self), isPlain: isPlain, mark)
        default: return .other("something unknown", mark)
        }
    }

    private static func mark(_ mark: yaml_mark_t) -> Mark { Mark(line: mark.line + 1, column: mark.column + 1) }

    private static func extra(
        _ anchor: UnsafeMutablePointer<UInt8>?, _ tag: UnsafeMutablePointer<UInt8>?, _ mark: Mark
    ) -> YAMLEvent? {
        if unsafe anchor != nil { return .other("an anchor (&)", mark) }
        return unsafe tag == nil ? nil : .other("a tag (!)", mark)
    }

    private static let advice: Sentence = "a setting is written as 'key: value'"

    private func problem() -> YAMLError {
        let text = unsafe parser.pointee.problem.map { unsafe String(cString: $0) } ?? "not YAML"
        guard unsafe parser.pointee.error == YAML_READER_ERROR else {
            return unsafe YAMLError(mark: Self.mark(parser.pointee.problem_mark), message: "\(text); \(Self.advice)")
        }
        let before = unsafe self.text.prefix(parser.pointee.problem_offset)
        let line = unsafe before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        let lines = unsafe before.count { $0 == 0x0A }
        return unsafe YAMLError(
            mark: Mark(line: lines + 1, column: before.count - line + 1), message: "\(text); save the file as UTF-8")
    }
}
