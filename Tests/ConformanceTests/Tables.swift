import WhirlConformance
import WhirlCore

/// What the promises show, as tables for people.
enum Tables {
    /// Which transport can do what, and by what that is proven.
    static var capabilities: String {
        let rows = Capabilities.allNames.indices.map { index in
            let capability = Capabilities(rawValue: 1 << index)
            let proofs = TransportPromises.all.filter { $0.needs == capability }.map { "`\($0.id)`" }
            let proof =
                switch capability {
                case .http2: "`h2`, with nginx"
                case .robust: "\(proofs.count), such as \(proofs.prefix(2).joined(separator: " "))"
                default: proofs.joined(separator: " ")
                }
            return [capability.description, proof]
                + subjects.map { $0.capabilities.contains(capability) ? "yes" : "no" }
        }
        return table(["", "promises that take it"] + subjects.map(\.name), rows)
    }

    /// What comes of every fault of a server.
    static var faults: String {
        // Those that take no route to serve, each with a promise of its own.
        let places: [(String, String, Fault.Ending, Fault.Ending)] = [
            ("refused", "does not listen", .fails(.connect), .fails(.connect)),
            ("name", "has a name that is not found", .fails(.resolve), .fails(.resolve)),
            ("deaf", "answers no connection", .waits, .fails(.timeout)),
        ]
        let first = places.map { place in
            ["`\(place.0)`", place.1] + subjects.flatMap { _ in [place.2.description, place.3.description] }
        }
        let rows = Fault.all.map { fault in
            ["`\(fault.id)`", fault.words]
                + subjects.flatMap {
                    [fault.ending(over: $0.name).description, fault.taskEnding(over: $0.name).description]
                }
        }
        return table(["", "a server that"] + subjects.flatMap { [$0.name, "\($0.name), a task"] }, first + rows)
    }

    private static func table(_ head: [String], _ rows: [[String]]) -> String {
        ([head, head.map { _ in "---" }] + rows).map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
    }
}
