import WhirlCore

/// What an earlier run left of a file.
enum Leftover: Equatable, Sendable {
    case none
    /// The transfer can go on there.
    case point(ResumePoint)
    /// The bytes are of no use; `reason` is that of `restarted`, `line` what people should know.
    case useless(reason: String, line: String?)

    /// Judges the state beside a `.part` of `size` bytes; `key` stands for the URL that is asked now.
    init(
        _ saved: PartState, size: Int64, key: String, _ resume: SessionConfiguration.Resume, hasDigest: Bool
    ) {
        let offset = saved.offset(size: size)
        if resume == .never {
            self = .useless(reason: "never", line: nil)
        } else if saved.key == PartState.rejected {
            self = .useless(reason: "digest_mismatch", line: nil)
        } else if size > saved.total ?? size {
            self = .useless(reason: "damaged", line: nil)
        } else if offset == 0 {
            self = .useless(reason: "not_synced", line: nil)
        } else if saved.key == key, let validator = saved.validator {
            self = .point(
                ResumePoint(offset: offset, validator: validator, total: saved.total, served: saved.served))
        } else if hasDigest || (saved.key == key && resume == .unsafe) {
            self = .point(ResumePoint(offset: offset, validator: nil, total: saved.total))
        } else {
            self = .useless(reason: saved.key == key ? "no_validator" : "other_url", line: nil)
        }
    }

    /// Judges a `.part` whose state, at `path`, can't be used.
    init(_ flaw: PartState.Flaw, size: Int64, _ path: String, _ resume: SessionConfiguration.Resume) {
        switch flaw {
        case _ where resume == .never: self = .useless(reason: "never", line: nil)
        case .missing where resume == .unsafe:
            self = .point(ResumePoint(offset: size, validator: nil, total: nil))
        case .missing: self = .useless(reason: "no_validator", line: nil)
        case .damaged: self = .useless(reason: "damaged", line: "\(path) is damaged; its file starts over")
        case .foreign: self = .useless(reason: "foreign", line: "\(path) is not whirl's; its file starts over")
        case .newer:
            self = .useless(reason: "newer", line: "\(path) was written by a newer whirl; its file starts over")
        }
    }
}
