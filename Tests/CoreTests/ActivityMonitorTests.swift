import Testing
import WhirlCore
import WhirlInMemory

/// The promises M01 to M07: one indicator for many tasks.
@Suite struct ActivityMonitorTests {
    private let clock = ManualClock()
    private let told = Record<Bool>()

    private func monitor(activation: Double = 1.0, completion: Double = 0.17) -> ActivityMonitor {
        ActivityMonitor(activationDelay: activation, completionDelay: completion, clock: clock) { [told] in
            told.append($0)
        }
    }

    private func id(_ number: UInt64) -> TaskID { TaskID(number: number) }

    @Test("M01 It shows after 1.0 s and hides after 0.17 s unless told otherwise")
    func hasDelays() {
        let monitor = ActivityMonitor(clock: clock) { [told] in told.append($0) }
        #expect(monitor.activationDelay == 1.0 && monitor.completionDelay == 0.17)
        monitor.start(id(1))
        clock.advance(by: 0.999)
        #expect(told.all.isEmpty && !monitor.isVisible)
        clock.advance(by: 0.001)
        #expect(told.all == [true] && monitor.isVisible)
        monitor.stop(id(1))
        clock.advance(by: 0.169)
        #expect(told.all == [true])
        clock.advance(by: 0.001)
        #expect(told.all == [true, false] && !monitor.isVisible)
    }

    @Test("M01 Both delays can be set, for what begins or ends afterwards")
    func takesDelays() {
        let monitor = monitor()
        monitor.activationDelay = 0.25
        monitor.completionDelay = 2
        monitor.start(id(1))
        clock.advance(by: 0.25)
        #expect(told.all == [true])
        monitor.stop(id(1))
        clock.advance(by: 1.99)
        #expect(told.all == [true])
        clock.advance(by: 0.01)
        #expect(told.all == [true, false])
    }

    @Test("M02 Work shorter than the activation delay is never shown")
    func hidesShortWork() {
        let monitor = monitor()
        for number in 1...20 {
            monitor.start(id(UInt64(number)))
            clock.advance(by: 0.9)
            monitor.stop(id(UInt64(number)))
            clock.advance(by: 0.05)
        }
        clock.advance(by: 60)
        #expect(told.all.isEmpty)
    }

    @Test("M02 A gap shorter than the completion delay never blinks")
    func bridgesGaps() {
        let monitor = monitor()
        monitor.start(id(1))
        clock.advance(by: 1)
        for number in 1...20 {
            monitor.stop(id(UInt64(number)))
            clock.advance(by: 0.16)
            monitor.start(id(UInt64(number + 1)))
            clock.advance(by: 3)
        }
        #expect(told.all == [true])
    }

    @Test("M02 Without a delay it shows, and hides, on the clock's next turn")
    func actsOnNextTurn() {
        let monitor = monitor(activation: 0, completion: 0)
        monitor.start(id(1))
        #expect(told.all.isEmpty)
        clock.advance(by: 0)
        #expect(told.all == [true])
        monitor.stop(id(1))
        #expect(told.all == [true])
        clock.advance(by: 0)
        #expect(told.all == [true, false])
    }

    @Test("M03 Many tasks are one on and one off")
    func joinsTasks() {
        let monitor = monitor()
        for number in 1...100 {
            monitor.start(id(UInt64(number)))
            clock.advance(by: 0.1)
        }
        #expect(monitor.count == 100)
        for number in 1...100 {
            monitor.stop(id(UInt64(number)))
            clock.advance(by: 0.2)
        }
        #expect(told.all == [true, false])
    }

    @Test("M03 The handler may call the monitor: no lock is held, and values still alternate")
    func letsHandlerCall() {
        let holder = Locked<ActivityMonitor?>(nil)
        let monitor = ActivityMonitor(activationDelay: 0, completionDelay: 0, clock: clock) { [told, clock] isOn in
            told.append(isOn)
            guard let monitor = holder.value, told.all.count < 9 else { return }
            // Makes the next change from within this one.
            if isOn { monitor.stop(TaskID(number: 1)) } else { monitor.start(TaskID(number: 1)) }
            clock.advance(by: 0)
        }
        holder.change { $0 = monitor }
        monitor.start(id(1))
        clock.advance(by: 0)
        #expect(told.all == (0..<9).map { $0.isMultiple(of: 2) })
        holder.change { $0 = nil }
    }

    @Test("M04 A start or stop that comes twice, or for a task that never ran, leaves the others' count right")
    func countsSet() {
        let monitor = monitor()
        monitor.start(id(1))
        monitor.start(id(1))
        monitor.start(id(2))
        monitor.stop(id(3))
        #expect(monitor.count == 2)
        monitor.stop(id(1))
        monitor.stop(id(1))
        #expect(monitor.count == 1)
        clock.advance(by: 1)
        #expect(told.all == [true])
        monitor.stop(id(2))
        clock.advance(by: 1)
        #expect(told.all == [true, false] && monitor.count == 0)
    }

    @Test("M04 It follows tasks: suspended then cancelled, never resumed, completed before resume, abandoned")
    func followsTasks() {
        let monitor = monitor()
        let (steady, moody, idle, early) = (BareTask(), BareTask(), BareTask(), BareTask())
        for task in [steady, moody, idle, early] {
            monitor.follow(task)
            monitor.follow(task)
        }
        steady.resume()
        moody.resume()
        #expect(monitor.count == 2)
        moody.suspend()
        moody.cancel()
        idle.cancel()
        early.core.end(.completed(TaskCompletion()))
        early.resume()
        #expect(monitor.count == 1)
        clock.advance(by: 1)
        #expect(told.all == [true])
        var abandoned: BareTask? = BareTask()
        abandoned.map { monitor.follow($0) }
        abandoned?.resume()
        #expect(monitor.count == 2)
        abandoned = nil
        #expect(monitor.count == 1)
        steady.core.end(.failed(TransferError(.reset, "gone")))
        clock.advance(by: 1)
        #expect(told.all == [true, false] && monitor.count == 0)
        #expect(steady.core.observationCount == 0)
    }

    @Test("M04 A task that was over before it was followed counts for nothing, and a dropped monitor observes nothing")
    func forgetsTasks() {
        var monitor: ActivityMonitor? = monitor()
        let (over, running) = (BareTask(), BareTask())
        over.cancel()
        running.resume()
        monitor?.follow(over)
        monitor?.follow(running)
        #expect(monitor?.count == 1 && running.core.observationCount == 1)
        monitor = nil
        #expect(running.core.observationCount == 0)
        clock.advance(by: 5)
        #expect(told.all.isEmpty)
    }

    @Test("M05 Disabled it shows nothing; disabling hides at once; enabling with work under way shows after the delay")
    func canBeDisabled() {
        let monitor = monitor()
        monitor.isEnabled = false
        monitor.start(id(1))
        clock.advance(by: 5)
        #expect(told.all.isEmpty)
        monitor.isEnabled = true
        clock.advance(by: 0.99)
        #expect(told.all.isEmpty)
        clock.advance(by: 0.01)
        #expect(told.all == [true])
        monitor.isEnabled = false
        #expect(told.all == [true, false])
        monitor.stop(id(1))
        monitor.isEnabled = true
        clock.advance(by: 5)
        #expect(told.all == [true, false])
    }

    @Test("M06 A start just before the completion timer fires is no blink")
    func keepsThroughLateStart() {
        let monitor = monitor()
        monitor.start(id(1))
        clock.advance(by: 1)
        monitor.stop(id(1))
        // In the clock's order this comes at the very moment of the timer, and right before it.
        clock.schedule(at: clock.now + 169_999_999) { monitor.start(TaskID(number: 2)) }
        clock.advance(by: 10)
        #expect(told.all == [true])
        monitor.stop(id(2))
        clock.advance(by: 0.17)
        #expect(told.all == [true, false])
    }

    @Test("M07 Eight threads with ten thousand pairs of start and stop each end hidden, and never repeat a value")
    func survivesStorm() async {
        let monitor = monitor(activation: 0, completion: 0)
        await Threads.race(9) { [clock] index in
            for step in 0..<10_000 {
                if index == 8 {
                    clock.advance(by: 0.001)
                } else {
                    let id = TaskID(number: UInt64(index * 2 + step % 2))
                    monitor.start(id)
                    monitor.stop(id)
                }
            }
        }
        clock.advance(by: 1)
        #expect(monitor.count == 0 && !monitor.isVisible)
        let values = told.all
        #expect(values == values.indices.map { $0.isMultiple(of: 2) })
        #expect(values.count.isMultiple(of: 2))
        #expect(clock.scheduled == 0)
    }
}
