/// Who may import what.
enum Layers {
    /// What a target may use: of this package, and from outside.
    private struct Layer {
        var own: Set<String>
        var outside: Set<String> = ["Dispatch", "FoundationEssentials", "Glibc", "Synchronization"]
    }

    private static let layers: [String: Layer] = [
        "WhirlCore": Layer(own: [], outside: ["Synchronization"]),
        "WhirlCurl": Layer(own: ["WhirlCore", "CWhirlCurl"]),
        "WhirlURLSession": Layer(
            own: ["WhirlCore"],
            outside: ["Dispatch", "Foundation", "FoundationNetworking", "Glibc", "Synchronization"]),
        "WhirlSession": Layer(own: ["WhirlCore", "CWhirlCrypto"]),
        "WhirlBoard": Layer(own: ["WhirlCore"]),
        "WhirlNCurses": Layer(own: ["WhirlCore", "WhirlBoard", "CWhirlNCurses"]),
        "WhirlPlainLog": Layer(own: ["WhirlCore", "WhirlBoard"]),
        "WhirlJSONLines": Layer(own: ["WhirlCore", "WhirlBoard"]),
        "WhirlLauncher": Layer(
            own: backends.union(["WhirlCore", "WhirlSession", "WhirlBoard", "WhirlLoopback", "CWhirlYAML"])),
        "whirl": Layer(own: ["WhirlLauncher"], outside: []),
        "WhirlConformance": Layer(own: ["WhirlCore", "WhirlSession", "WhirlLoopback"]),
        "WhirlLoopback": Layer(own: []),
        "WhirlInMemory": Layer(own: ["WhirlCore"]),
    ]

    private static let backends: Set = [
        "WhirlCurl", "WhirlURLSession", "WhirlNCurses", "WhirlPlainLog", "WhirlJSONLines",
    ]

    /// Why `target`, were it to depend on `other`, would break its layer; nil when it may.
    static func fault(target: String, dependsOn other: String) -> String? {
        guard let layer = layers[target] else { return "\(target) has no layer: give it one in Layers.swift" }
        return layer.own.contains(other) ? nil : "\(target) may not depend on \(other)"
    }

    /// Why the import of `module` in `file`, of `target`, breaks its layer; nil when it does not.
    static func fault(target: String, file: String, imports module: String) -> String? {
        guard let layer = layers[target] else { return "\(target) has no layer: give it one in Layers.swift" }
        let fault = "\(target): \(file) may not import \(module)"
        if target == "WhirlCore", module == "Glibc" { return file == "Mutex+Sanitizer.swift" ? nil : fault }
        // A stream is also read, whatever shows the run.
        if target == "WhirlLauncher", backends.contains(module), module != "WhirlJSONLines" {
            return file == "Wiring.swift" ? nil : fault
        }
        return layer.own.union(layer.outside).contains(module) ? nil : fault
    }

    /// The modules that a source file imports, in whatever form and behind whatever condition.
    static func imports(of source: some StringProtocol) -> [String] {
        source.split(separator: "\n").compactMap { line in
            let words = line.split { $0 == " " || $0 == "\t" || $0 == ";" }
            let modifiers = words.prefix { $0.hasPrefix("@") || access.contains(String($0)) }
            var rest = words.dropFirst(modifiers.count)
            guard rest.popFirst() == "import" else { return nil }
            if let kind = rest.first, kinds.contains(String(kind)) { rest.removeFirst() }
            return rest.first.map { String($0.prefix { $0 != "." }) }
        }
    }

    private static let access: Set = ["public", "package", "internal", "fileprivate", "private", "unsafe"]
    private static let kinds: Set = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var"]
}
