/// A JSON Schema of configuration files, for editors.
struct ConfigurationSchema {
    let registry: Registry

    /// The schema, in lines for people; draft 7 is what editors understand best.
    var text: String {
        let options = registry.table.options.filter { $0.sources.contains(.configuration) }
        return JSONText.object([
            ("$schema", .string("http://json-schema.org/draft-07/schema#")),
            ("title", .string("Configuration of whirl")),
            ("description", .string("whirl.yaml of a project, the user's config.yaml, and files named by --config")),
            ("type", .string("object")),
            ("additionalProperties", .bool(false)),
            ("properties", .object(options.map { ($0.name.rawValue, property($0)) })),
            ("definitions", .object([("source", Self.source)])),
        ]).indented() + "\n"
    }

    private func property(_ option: CommandOption) -> JSONText {
        let words = option.detail.isEmpty ? option.help : "\(option.help). \(option.detail)"
        let reserved = option.reservation == nil ? "" : " Not for the file of a project."
        var pairs: [(String, JSONText)] = [("description", .string(words + reserved))]
        if let preset = option.preset, let value = try? option.kind.parse(preset) {
            pairs.append(("default", Self.text(value)))
        }
        let types = Self.types(of: option.kind)
        if option.isRepeatable {
            let item: JSONText = types.count == 1 ? types[0] : .object([("anyOf", .array(types))])
            let list = JSONText.object([("type", .string("array")), ("items", item)])
            return .object(pairs + [("anyOf", .array(types + [list]))])
        }
        if types.count == 1, case .object(let only) = types[0] { return .object(pairs + only) }
        return .object(pairs + [("anyOf", .array(types))])
    }

    private static func text(_ value: OptionValue) -> JSONText {
        switch value {
        case .flag(let isOn): .bool(isOn)
        case .integer(let number): .integer(number)
        case .number(let number): .number(number)
        case .text, .secret: .string(value.description)
        }
    }

    /// What a value may be: any of these.
    private static func types(of kind: ValueKind) -> [JSONText] {
        func type(_ name: String, _ more: [(String, JSONText)] = []) -> JSONText {
            .object([("type", .string(name))] + more)
        }
        let filled = type("string", [("minLength", .integer(1))])
        switch kind {
        case .flag: return [type("boolean"), words(["yes", "no", "on", "off"])]
        case .integer(let range):
            return [
                type("integer", [("minimum", .integer(range.lowerBound)), ("maximum", .integer(range.upperBound))])
            ]
        case .seconds(let range):
            return [type("number", [("minimum", .number(range.lowerBound)), ("maximum", .number(range.upperBound))])]
        case .interval(let range): return types(of: .seconds(range)) + [words(["off"])]
        case .speed: return [type("number", [("exclusiveMinimum", .integer(0))]), words(["max"])]
        case .choice(let all), .name(let all): return [words(all)]
        case .text, .path, .folder: return [filled]
        case .size, .byteRate:
            let suffix = kind == .byteRate ? "(/s)?" : ""
            let pattern = JSONText.string("^[0-9]*\\.?[0-9]+[kKmMgGtT]?\(suffix)$")
            return [type("integer", [("minimum", .integer(1))]), type("string", [("pattern", pattern)])]
        case .startRate:
            return [
                type("number", [("exclusiveMinimum", .integer(0))]),
                type("string", [("pattern", .string("^[0-9]*\\.?[0-9]+(/s)?$"))]),
            ]
        case .shard: return [type("string", [("pattern", .string("^[0-9]+/[0-9]+$"))])]
        case .checksum: return [type("string", [("pattern", .string("^[A-Za-z0-9-]+:[0-9A-Fa-f]+$"))])]
        case .credentials, .secret: return [filled, sourceReference]
        case .header: return [type("string", [("pattern", .string("^[^:]+:"))]), sourceReference]
        }
    }

    private static func words(_ words: [String]) -> JSONText {
        .object([("enum", .array(words.map { .string($0) }))])
    }

    private static let sourceReference = JSONText.object([("$ref", .string("#/definitions/source"))])

    /// Where a secret is.
    private static let source: JSONText = {
        func text(_ words: String) -> JSONText {
            .object([("description", .string(words)), ("type", .string("string")), ("minLength", .integer(1))])
        }
        return .object([
            ("description", .string("Where a secret is to be read when it is needed.")),
            ("type", .string("object")),
            ("additionalProperties", .bool(false)),
            (
                "properties",
                .object([
                    ("file", text("Its first line; nobody else may be able to read it (chmod 600).")),
                    ("command", text("The first line of what this prints.")),
                    ("prefix", text("What the value begins with, such as 'Authorization: Bearer '.")),
                ])
            ),
            (
                "oneOf",
                .array([
                    .object([("required", .array([.string("file")]))]),
                    .object([("required", .array([.string("command")]))]),
                ])
            ),
        ])
    }()
}
