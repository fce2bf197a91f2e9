/// Samples by name, in the text format of Prometheus.
struct MetricFamilies {
    private struct Family {
        let kind: String
        let help: String
        /// By suffix and labels.
        var samples: [String: Double] = [:]
        /// In the order in which they came.
        var order: [String] = []
    }
    /// Labels come from streams, of which some are other people's: more than so many of a family are no help.
    private static let most = 200
    private var families: [String: Family] = [:]
    private var names: [String] = []

    mutating func declare(_ name: String, _ kind: String, _ help: String) {
        families[name] = Family(kind: kind, help: help)
        names.append(name)
    }

    mutating func add(_ value: Double, to name: String, _ labels: [String: String] = [:]) {
        add(value, name, "", labels.sorted { $0.key < $1.key })
    }

    /// One observation of a summary without quantiles.
    mutating func sum(_ value: Double, in name: String, _ labels: [String: String]) {
        let labels = labels.sorted { $0.key < $1.key }
        add(value, name, "_sum", labels)
        add(1, name, "_count", labels)
    }

    /// One observation of a histogram with these upper bounds.
    mutating func observe(_ value: Double, in name: String, _ bounds: [Double]) {
        for bound in bounds { add(value <= bound ? 1 : 0, name, "_bucket", [("le", Self.number(bound))]) }
        add(1, name, "_bucket", [("le", "+Inf")])
        add(value, name, "_sum", [])
        add(1, name, "_count", [])
    }

    private mutating func add(
        _ value: Double, _ name: String, _ suffix: String, _ labels: [(key: String, value: String)]
    ) {
        var key = Self.key(name + suffix, labels)
        if families[name]?.samples[key] == nil {
            if let count = families[name]?.order.count, count >= Self.most {
                key = Self.key(name + suffix, labels.map { ($0.key, "other") })
            }
            if families[name]?.samples[key] == nil { families[name]?.order.append(key) }
        }
        families[name]?.samples[key, default: 0] += value
    }

    private static func key(_ name: String, _ labels: [(key: String, value: String)]) -> String {
        guard !labels.isEmpty else { return name }
        return name + "{" + labels.map { "\($0.key)=\"\(escaped($0.value))\"" }.joined(separator: ",") + "}"
    }

    private static func escaped(_ value: String) -> String {
        var text = ""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\\": text += "\\\\"
            case "\"": text += "\\\""
            case "\n": text += "\\n"
            case "\r": text += " "
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// Whole numbers without a point.
    private static func number(_ value: Double) -> String {
        Int64(exactly: value).map { "\($0)" } ?? "\(value)"
    }

    var text: String {
        var text = ""
        for name in names {
            guard let family = families[name] else { continue }
            text += "# HELP \(name) \(family.help)\n# TYPE \(name) \(family.kind)\n"
            for key in family.order { text += "\(key) \(Self.number(family.samples[key] ?? 0))\n" }
        }
        return text
    }
}
