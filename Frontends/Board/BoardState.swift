import WhirlCore

extension Board {
    /// All that a board knows, and how it changes: guarded by the board's lock.
    struct State {
        /// What is known of one task beyond its row.
        ///
        /// A reference, so that a change costs no copy; it never leaves the lock.
        final class Entry {
            /// The row, which has its names from the first look on: of most rows of a large run nobody asks.
            var bare: Row
            /// What the names are made of; nil when they are made.
            private var description: TaskDescription?
            /// Names the same work when it is asked for once more.
            let key: String
            /// Where it lies in its lane.
            var place = 0
            /// Lifecycle events seen: progress that belongs to others is not counted.
            var ordinal: UInt64 = 0
            /// Up to where this attempt's bytes have been counted.
            var counted: Int64 = 0
            var started: UInt64?
            var ended: UInt64?
            var nextAttempt: UInt64?
            /// When the attempt that is under way began; nil while there is none.
            private var measuredFrom: UInt64?
            private var made: Meter?
            /// What it went through; nil before it has begun.
            var history: TaskHistory?
            /// The task, as long as it has no handle: most tasks of a large run end before anybody looks.
            weak var task: (any TransferTask)?

            init(_ id: TaskID, _ description: TaskDescription) {
                bare = Row(id: id, name: "", url: "")
                self.description = description
                key = description.key
            }

            /// Of the attempt that is under way; made when there is something to measure.
            var meter: Meter? {
                if made == nil { made = measuredFrom.map(Meter.init) }
                return made
            }

            /// An attempt begins, or (nil) ends.
            func measure(from start: UInt64?) { (measuredFrom, made) = (start, nil) }

            /// It did not come to its end, and bytes of it are kept.
            var hasKeptBytes: Bool {
                switch bare.outcome {
                case .failed(let error) where error.code == .digestMismatch: return false
                case .failed, .cancelled:
                    let destination = bare.progress.received > 0 ? row.destination : "-"
                    return destination != "-" && !destination.hasPrefix("/dev/")
                default: return false
                }
            }

            /// The row with its names.
            var row: Row {
                if let description {
                    bare.name(by: description)
                    self.description = nil
                }
                return bare
            }
        }
        var entries: [Entry?] = []
        var free: [Int] = []
        var slots: [TaskID: Int] = [:]
        var lanes = [Lane](repeating: Lane(), count: RowGroup.allCases.count)
        /// Failed tasks by what names their work.
        var failedKeys: [String: TaskID] = [:]
        var arrangement: Arrangement?
        /// What happened last.
        var notes: [Note] = []
        var jobs: Int?
        var handles: [TaskID: RowHandle] = [:]
        var sums = Totals()
        var meter: Meter
        var generation: UInt64 = 0
        var warning: String?
        let kept: Int
        /// Whether notes and histories are kept.
        let remembers: Bool
        var began: UInt64
        /// Seconds the run took; nil while it goes on.
        var took: Double?
        /// The run ended because nobody reads its output any more.
        var readerLeft = false

        init(kept: Int, remembers: Bool, now: UInt64) {
            self.kept = kept
            self.remembers = remembers
            meter = Meter(at: now)
            began = now
        }

        // MARK: records

        /// Returns what was followed and has ended, to be asked and released outside the lock.
        mutating func receive(_ record: RunRecord, at now: UInt64) -> Followed? {
            switch record.event {
            case .run(let description):
                jobs = description.jobs
                began = now
                meter = Meter(at: now)
            case .created(let id, let description): create(id, description)
            case .planned: return nil
            case .task(let id, let update): return apply(update, to: id, elapsed: record.elapsed, at: now)
            case .warning(let text):
                let text = clean(text)
                warning = text
                note(.made(BoardNote(elapsed: record.elapsed, kind: .warning, name: "", text: text)))
            case .answer: return nil
            case .end(let summary):
                sums.bytes = summary.bytes
                readerLeft = summary.exit == 141
                took = record.elapsed
            }
            generation += 1
            return nil
        }

        private mutating func create(_ id: TaskID, _ description: TaskDescription) {
            guard slots[id] == nil else { return }
            forgetFailure(of: description.key)
            let slot = free.popLast() ?? entries.count
            if slot == entries.count { entries.append(nil) }
            let entry = Entry(id, description)
            entry.place = lanes[entry.bare.group.rawValue].append(slot)
            entries[slot] = entry
            slots[id] = slot
            sums.created += 1
            sums.unsized += 1
            sums.queued += 1
        }

        private mutating func apply(
            _ update: TaskUpdate, to id: TaskID, elapsed: Double, at now: UInt64
        ) -> Followed? {
            guard update.event != .progress else {
                advance(id, to: update.snapshot, at: now)
                return nil
            }
            guard let slot = slots[id], let entry = entries[slot], entry.bare.outcome == nil else { return nil }
            entry.ordinal = update.snapshot.ordinal
            if update.event?.isBeginning == true {
                entry.counted = max(update.snapshot.progress.received, update.snapshot.offset)
            }
            take(update.snapshot, entry, slot, at: now)
            note(update, entry, at: now)
            if remembers { remember(update, entry, elapsed: elapsed, at: now) }
            if case .ended(.failed(let error)) = update.event, !entry.key.isEmpty, error.code != .usage {
                failedKeys[entry.key] = id
            }
            if entry.bare.group != .active { entry.measure(from: nil) }
            forgetOld()
            generation += 1
            return update.isTerminal ? unfollow(entry, id) : nil
        }

        /// What the event says beyond its snapshot.
        private mutating func note(_ update: TaskUpdate, _ entry: Entry, at now: UInt64) {
            entry.nextAttempt = nil
            switch update.event {
            case .resumed:
                entry.started = entry.started ?? now
                entry.measure(from: now)
            case .attempt, .restarted: entry.measure(from: now)
            case .retrying(let delay, let error):
                sums.retries += 1
                entry.bare.error = error
                entry.nextAttempt = now &+ UInt64(max(0, min(delay, 1e6)) * 1e9)
                entry.measure(from: nil)
            case .ended(let outcome):
                entry.ended = now
                if case .failed(let error) = outcome { entry.bare.error = error }
                count(outcome)
            default: break
            }
        }

        private mutating func count(_ outcome: TaskOutcome) {
            switch outcome {
            case .completed: sums.completed += 1
            case .failed: sums.failed += 1
            case .skipped: sums.skipped += 1
            case .cancelled: sums.cancelled += 1
            }
        }

        // MARK: indicators

        /// More bytes, or another phase.
        ///
        /// A snapshot that saw other lifecycle events than this board is left alone:
        /// the record of those events is older or on its way, and says it all.
        mutating func advance(_ id: TaskID, to snapshot: TaskSnapshot, at now: UInt64) {
            guard let slot = slots[id], let entry = entries[slot], entry.ordinal == snapshot.ordinal else { return }
            guard snapshot.progress.received >= entry.bare.progress.received,
                snapshot.progress != entry.bare.progress || snapshot.phase != entry.bare.phase
            else { return }
            take(snapshot, entry, slot, at: now)
            generation += 1
        }

        // MARK: snapshots

        private mutating func take(_ snapshot: TaskSnapshot, _ entry: Entry, _ slot: Int, at now: UInt64) {
            let progress = snapshot.plausibleProgress
            account(for: progress, isOver: snapshot.outcome != nil, entry)
            entry.bare.state = snapshot.state
            if entry.bare.phase != snapshot.phase { entry.history?.enter(snapshot.phase, at: now) }
            entry.bare.phase = snapshot.phase
            entry.bare.attempt = snapshot.attempt
            entry.bare.outcome = snapshot.outcome
            entry.bare.progress = progress
            let moved = progress.received - entry.counted
            if moved > 0 {
                entry.counted = progress.received
                sums.bytes &+= moved
                meter.add(moved, at: now)
                if snapshot.outcome == nil { entry.meter?.add(moved, at: now) }
            }
            move(entry, slot, to: group(of: snapshot, now: entry.bare.group))
        }

        /// Keeps the sums of sizes; a task that ended has no more to come.
        private mutating func account(for progress: TransferProgress, isOver: Bool, _ entry: Entry) {
            let before = entry.bare.progress
            let old = entry.bare.outcome == nil ? before.total : before.received
            let new = isOver ? progress.received : progress.total
            // Sizes come from outside, and may add up to more than there is: an overflow is no reason to end.
            sums.received &+= progress.received - before.received
            sums.expected &+= (new ?? 0) - (old ?? 0)
            sums.unsized += (new == nil ? 1 : 0) - (old == nil ? 1 : 0)
        }

        private func group(of snapshot: TaskSnapshot, now group: RowGroup) -> RowGroup {
            if let outcome = snapshot.outcome {
                if case .failed = outcome { return .failed }
                return .done
            }
            return switch snapshot.state {
            case .running: .active
            case .suspended: snapshot.phase == .paused ? .paused : .queued
            case .canceling, .completed: group
            }
        }

        private mutating func move(_ entry: Entry, _ slot: Int, to group: RowGroup) {
            let old = entry.bare.group
            guard group != old else { return }
            lanes[old.rawValue].remove(at: entry.place)
            if lanes[old.rawValue].isWasteful { compact(old) }
            entry.place = lanes[group.rawValue].append(slot)
            entry.bare.group = group
            sums.add(-1, to: old)
            sums.add(1, to: group)
        }

        mutating func compact(_ group: RowGroup) {
            for (place, slot) in lanes[group.rawValue].compact().enumerated() { entries[slot]?.place = place }
        }
    }
}

extension TaskSnapshot {
    /// A total that was exceeded is no total.
    fileprivate var plausibleProgress: TransferProgress {
        guard let total = progress.total, progress.received > total else { return progress }
        var progress = progress
        progress.total = nil
        return progress
    }
}

extension Totals {
    /// Outcomes are counted by `Board.State.count`.
    fileprivate mutating func add(_ number: Int, to group: RowGroup) {
        switch group {
        case .active: active += number
        case .queued: queued += number
        case .paused: paused += number
        case .failed, .done: break
        }
    }
}
