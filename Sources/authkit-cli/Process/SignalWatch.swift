#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The signals that ask the process to end: blocked in every thread, awaited by one.
@safe struct SignalWatch: Sendable {
    private let set: sigset_t
    private let inherited: sigset_t

    /// Blocks SIGINT, SIGTERM and SIGHUP for this thread and all that it makes; called before there are others.
    ///
    /// A hang-up that was ignored at the start stays ignored, as `nohup` asks.
    static func start() -> SignalWatch? {
        var set = sigset_t()
        var inherited = sigset_t()
        guard unsafe sigemptyset(&set) == 0 else { return nil }
        for number in [SIGINT, SIGTERM, SIGHUP] where !(number == SIGHUP && isIgnored(number)) {
            guard unsafe sigaddset(&set, number) == 0 else { return nil }
        }
        guard unsafe pthread_sigmask(SIG_BLOCK, &set, &inherited) == 0 else { return nil }
        return SignalWatch(set: set, inherited: inherited)
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard unsafe sigaction(number, nil, &action) == 0 else { return false }
        #if canImport(Glibc)
        let handler = unsafe action.__sigaction_handler.sa_handler
        #else
        let handler = unsafe action.__sa_handler.sa_handler
        #endif
        return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Has a signal handled in one of the system's own ways; false when that cannot be.
    static func handle(_ number: Int32, by handler: sighandler_t?) -> Bool {
        // signal(2): SIG_ERR is -1.
        unsafe unsafeBitCast(signal(number, handler), to: Int.self) != -1
    }

    /// Waits for the next of the signals; blocks the calling thread.
    func next() -> Int32 {
        var set = self.set
        var number: Int32 = 0
        while unsafe sigwait(&set, &number) != 0 {}
        return number
    }

    /// Ends the process by a signal, as if it had never been caught: the shell sees how it died.
    static func die(by number: Int32) -> Never {
        var set = sigset_t()
        if handle(number, by: SIG_DFL), unsafe sigemptyset(&set) == 0, unsafe sigaddset(&set, number) == 0,
            unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil) == 0
        {
            // Does not come back; if it does, the code below is what shells make of the signal.
            _ = raise(number)
        }
        _exit(128 + number)
    }
}
