internal import AuthKitCore

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Decides how the process ends: by its exit code, or by the signal that came first; never in the middle of a save.
final class ProcessEnding: Sendable {
    private struct State: Sendable {
        var signal: Int32?
        var hasEnded = false
    }

    private static let patience: Duration = .seconds(15)

    private let saveWindow: SaveWindow
    private let state = Guarded(State())

    /// Makes one over the saves of the process.
    init(saveWindow: SaveWindow) {
        self.saveWindow = saveWindow
    }

    /// Ends the process with an exit code, unless a signal is about to end it.
    func commandEnded(_ exit: ExitCode) async {
        let isDying = state.withLock { state in
            state.hasEnded = true
            return state.signal != nil
        }
        guard !isDying else { return }
        // A caller whose time was up may have left a save behind.
        _ = await saveWindow.drain(within: Self.patience)
        guard state.withLock({ $0.signal == nil }) else { return }
        // Not exit: nothing is buffered, and other threads may still be in libraries that exit would take down.
        _exit(exit.number)
    }

    /// Cancels the command, waits for saves, and ends the process by the signal.
    func signalCame(_ number: Int32, command: Task<Void, Never>) async {
        state.withLock { $0.signal = number }
        command.cancel()
        _ = await saveWindow.drain(within: Self.patience)
        // The command's own cleaning up: sockets, the terminal's echo.
        for _ in 0..<100 where !state.withLock({ $0.hasEnded }) {
            try? await Task.sleep(for: .milliseconds(10))
        }
        SignalWatch.die(by: number)
    }
}
