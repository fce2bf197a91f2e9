/// Finds what a person may have meant.
enum Suggestion {
    /// Up to three of `candidates` near `word`, nearest first: by edit distance, else those that contain it.
    static func nearest(to word: String, among candidates: [String]) -> [String] {
        let scored = candidates.map { ($0, distance(Array(word.lowercased().utf8), Array($0.utf8))) }
        let best = scored.map(\.1).min() ?? .max
        if best <= max(1, word.utf8.count / 3) { return Array(scored.filter { $0.1 == best }.map(\.0).prefix(3)) }
        guard word.utf8.count >= 3 else { return [] }
        return Array(candidates.filter { contains($0.utf8, word.lowercased().utf8) }.prefix(3))
    }

    /// `; did you mean A or B?`, or `otherwise` where nothing is near.
    static func phrase(for word: String, among candidates: [String], otherwise: String = "") -> String {
        let near = nearest(to: word, among: candidates)
        return near.isEmpty ? otherwise : "; did you mean \(near.joined(separator: " or "))?"
    }

    /// How many letters must be put in, taken out, replaced or swapped with the next.
    static func distance(_ from: [UInt8], _ to: [UInt8]) -> Int {
        var before = [Int](), last = Array(0...to.count)
        for row in 1..<(from.count + 1) {
            var line = [row]
            for column in 1..<(to.count + 1) {
                let isSame = from[row - 1] == to[column - 1]
                var cost = min(last[column] + 1, line[column - 1] + 1, last[column - 1] + (isSame ? 0 : 1))
                if row > 1, column > 1, from[row - 1] == to[column - 2], from[row - 2] == to[column - 1] {
                    cost = min(cost, before[column - 2] + 1)
                }
                line.append(cost)
            }
            (before, last) = (last, line)
        }
        return last[to.count]
    }

    private static func contains(_ text: String.UTF8View, _ word: String.UTF8View) -> Bool {
        var rest = text[...]
        while rest.count >= word.count {
            if rest.starts(with: word) { return true }
            rest.removeFirst()
        }
        return false
    }
}
