import WhirlCore
import WhirlLoopback
import WhirlSession

extension TaskPromises {
    private static func fault(_ fault: Fault) -> TaskPromise {
        let isDeadly = fault.exceptions.values.contains(.dies)
        let usual = fault.task ?? fault.ending
        return TaskPromise(
            "task-fault-" + fault.id, "a task whose server \(fault.words): \(usual), one terminal event",
            needs: isDeadly ? .robust : []
        ) { subject in
            try await expectEnding(fault.taskEnding(over: subject.name), of: ["/a": fault.route], subject)
        }
    }

    /// A task with one try.
    private static func expectEnding(
        _ ending: Fault.Ending, of routes: [String: Route], at url: String? = nil, _ subject: TransportSubject
    ) async throws {
        // Short only where it is the session's patience that ends a task: a busy machine may take its time over all else.
        let patience = ending == .fails(.timeout) || ending == .fails(.stalled) ? 0.5 : 30
        let configure: (inout SessionConfiguration) -> Void = { configuration in
            configuration.connectTimeout = patience
            configuration.idleTimeout = patience
        }
        try await with(subject, routes, configure: configure) { setting in
            let log = try setting.add(url: url ?? setting.server.url("/a"))
            let outcome = try await log.end()
            let sent = setting.server.record.bodySent
            try expectEqual(outcome.ending, ending, "the end, \(outcome), after \(sent) bytes that the server sent")
        }
    }

    static let faults: [TaskPromise] =
        [
            TaskPromise("task-fault-refused", "a task whose port nobody listens on: `connect`") { subject in
                let server = try LoopbackServer([:])
                server.stop()
                try await expectEnding(.fails(.connect), of: [:], at: server.url(), subject)
            },
            TaskPromise("task-fault-name", "a task whose host is not found: `resolve`") { subject in
                try await expectEnding(.fails(.resolve), of: [:], at: "http://nowhere.invalid/", subject)
            },
            TaskPromise("task-fault-deaf", "a task whose host never answers a connection: `timeout`") { subject in
                let port = try DeafPort()
                try await expectEnding(.fails(.timeout), of: [:], at: port.origin, subject)
                withExtendedLifetime(port) {}
            },
        ] + Fault.all.map { fault($0) }
}

extension TaskOutcome {
    /// As the table of faults has it.
    fileprivate var ending: Fault.Ending {
        switch self {
        case .completed, .skipped: .finishes
        case .failed(let error): .fails(error.code)
        case .cancelled: .waits
        }
    }
}
