#if NCurses
import Glibc
import Synchronization

/// Takes signals over and gives them back.
///
/// Giving back is safe in a signal handler.
enum SignalActions {
    typealias Action = sigaction
    typealias Handler = @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void

    /// Where the actions of before lie, by number: allocated once, kept for ever, so that a handler may read it.
    private static let table = Atomic<UInt>(0)
    /// A bit for each signal that is ours now.
    private static let taken = Atomic<UInt64>(0)

    /// Has `handler` called for the signal.
    ///
    /// False, and nothing changed, when `condition` (of the action until now) does not hold.
    static func take(
        _ number: Int32, flags: Int32, _ handler: @escaping Handler, when condition: (Disposition) -> Bool
    ) -> Bool {
        guard let old = unsafe entry(number) else { return false }
        var current = Action()
        unsafe sigaction(number, nil, &current)
        let address = unsafe unsafeBitCast(current.__sigaction_handler.sa_handler, to: UInt.self)
        guard condition(Disposition(address: address)) else { return false }
        unsafe old.pointee = current
        taken.bitwiseOr(bit(number), ordering: .relaxed)
        unsafe set(number, flags: flags, handler)
        return true
    }

    /// Has `handler` called for a signal that was taken.
    static func set(_ number: Int32, flags: Int32, _ handler: @escaping Handler) {
        var action = Action()
        action.sa_flags = flags | SA_SIGINFO
        unsafe action.__sigaction_handler.sa_sigaction = handler
        unsafe sigaction(number, &action, nil)
    }

    /// Whether the signal was taken and not given back.
    static func has(_ number: Int32) -> Bool { taken.load(ordering: .relaxed) & bit(number) != 0 }

    /// Gives the signal back, if it was taken.
    static func giveBack(_ number: Int32) {
        let mine = bit(number)
        guard taken.bitwiseAnd(~mine, ordering: .relaxed).oldValue & mine != 0 else { return }
        guard let old = unsafe UnsafeMutablePointer<Action>(bitPattern: table.load(ordering: .acquiring)) else {
            return
        }
        unsafe sigaction(number, old + Int(number), nil)
    }

    private static func bit(_ number: Int32) -> UInt64 { 1 << UInt64(number) }

    private static func entry(_ number: Int32) -> UnsafeMutablePointer<Action>? {
        if table.load(ordering: .acquiring) == 0 {
            let actions = UnsafeMutablePointer<Action>.allocate(capacity: 64)
            unsafe actions.initialize(repeating: Action(), count: 64)
            table.store(UInt(bitPattern: actions), ordering: .releasing)
        }
        guard let start = unsafe UnsafeMutablePointer<Action>(bitPattern: table.load(ordering: .acquiring)) else {
            return nil
        }
        return unsafe start + Int(number)
    }
}

/// What a signal does.
enum Disposition {
    case standard, ignored, handled

    init(address: UInt) {
        self =
            switch address {
            case 0: .standard
            case 1: .ignored
            default: .handled
            }
    }
}
#endif
