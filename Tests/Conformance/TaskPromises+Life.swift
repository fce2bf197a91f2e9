import WhirlCore
import WhirlLoopback

extension TaskPromises {
    static let life: [TaskPromise] = [
        TaskPromise("task-events", "a task says resumed, suspended, resumed, completed as it does so (B17, B20)") {
            subject in
            try await with(subject, ["/a": half(Gate())]) { setting in
                let log = try setting.add()
                await log.until { $0.progress.received == size / 2 }
                log.task.suspend()
                log.task.resume()
                try await log.success()
                let states = log.events.filter { $0 == .resumed || $0 == .suspended(reason: "user") }
                try expectEqual(states, [.resumed, .suspended(reason: "user"), .resumed], "events")
                for update in log.updates where update.event == .resumed {
                    try expectEqual(update.snapshot.state, .running, "the state at resumed")
                }
                try setting.expectFile()
            }
        },
        TaskPromise("task-redirects", "a task tells its redirects in order, and ends once") { subject in
            let routes: [String: Route] = [
                "/a": .redirect(to: "/b"), "/b": .redirect("307 Over There", to: "/c"), "/c": .file(size: size),
            ]
            try await with(subject, routes) { setting in
                let log = try setting.add()
                try await log.success()
                let statuses = log.events.compactMap { if case .redirected(let status, _) = $0 { status } else { nil } }
                try expectEqual(statuses, [302, 307], "redirects")
                try expectEqual(setting.server.record.requests.map(\.path), ["/a", "/b", "/c"], "requests")
                try setting.expectFile()
            }
        },
        TaskPromise("task-cancel", "a task that is cancelled ends once as cancelled, at whatever point") { subject in
            let endless = Route.file(size: 1 << 34, pace: .rate(20_000_000))
            let moments: [Int64] = [-1, 0, 1, 100_000, 1_000_000]
            var routes = ["/b": Route.silent]
            for number in moments.indices { routes["/\(number)"] = endless }
            try await with(subject, routes) { setting in
                for (number, received) in moments.enumerated() {
                    let log = try setting.add("/\(number)")
                    if received >= 0 { await log.until { $0.progress.received >= received && $0.attempt > 0 } }
                    log.task.cancel()
                    log.task.cancel()
                    log.task.resume()
                    try await expectEqual(log.end(), .cancelled(reason: "user"), "the end")
                }
                let log = try setting.add("/b")
                await setting.server.until { !$0.requests(for: "/b").isEmpty }
                log.task.cancel()
                try await expectEqual(log.end(), .cancelled(reason: "user"), "the end")
            }
        },
    ]
}
