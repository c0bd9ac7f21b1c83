import AuthKitCore
import Dispatch

/// What the daemons of one server share: the requests under way, the open connections, the way to stop.
final class ServerCore: Sendable {
    private struct Running {
        let exchange: Exchange
        var task: Task<Void, Never>?
    }

    private struct State {
        var isClosing = false
        var running: [ObjectIdentifier: Running] = [:]
        var connections: ConnectionTable
        var isThinningOut = false
        var daemons: [MicroDaemon] = []
        /// Closed when they leave this list.
        var sockets: [ListeningSocket]
        /// Opened when nothing is under way any more; there while somebody waits for that.
        var idle: Latch<Void>?
        var stopping: Task<Void, Never>?
    }

    private static let grace = Duration.seconds(2)

    let library: MicroHTTPD
    let limits: ServerLimits
    let port: UInt16
    private let time: any TimeSource
    private let handler: @Sendable (ServerRequest) async -> ServerResponse
    private let state: Guarded<State>

    init(
        library: MicroHTTPD,
        limits: ServerLimits,
        sockets: ListeningSockets,
        time: any TimeSource,
        handler: @escaping @Sendable (ServerRequest) async -> ServerResponse
    ) {
        self.library = library
        self.limits = limits
        port = sockets.port
        self.time = time
        self.handler = handler
        state = Guarded(State(connections: ConnectionTable(limit: limits.connections), sockets: sockets.sockets))
    }

    func add(_ daemon: MicroDaemon) { state.withLock { $0.daemons.append(daemon) } }

    func opened(_ socket: Int32) {
        let isFirst = state.withLock { state in
            state.connections.opened(socket)
            guard state.connections.isCrowded, !state.isThinningOut else { return false }
            state.isThinningOut = true
            return true
        }
        if isFirst { Task { await self.thinOut() } }
    }

    func closed(_ socket: Int32) { state.withLock { $0.connections.closed(socket) } }

    /// Suspends the connection and runs the handler in a task of its own; false when the server is closing.
    func run(_ request: ServerRequest, for exchange: Exchange, on connection: MicroConnection) -> Bool {
        let key = ObjectIdentifier(exchange)
        let isAccepted = state.withLock { state in
            guard !state.isClosing else { return false }
            state.running[key] = Running(exchange: exchange)
            state.connections.setBusy(exchange.socket, true)
            // Inside the lock: who closes sees either no such request or a suspended one.
            exchange.suspend(connection, by: library)
            return true
        }
        guard isAccepted else { return false }
        let task = Task { await self.answer(request, for: exchange) }
        state.withLock { $0.running[key]?.task = task }
        return true
    }

    /// Notes that an answer was sent or its connection lost.
    func finished(_ exchange: Exchange) {
        let idle: Latch<Void>? = state.withLock { state in
            state.running[ObjectIdentifier(exchange)] = nil
            state.connections.setBusy(exchange.socket, false)
            return state.running.isEmpty ? state.idle : nil
        }
        idle?.open(())
    }

    /// Stops once, whoever asks and however often; a caller's cancellation does not cut it short.
    func stop() async { await stopping().value }

    /// Stops without anyone waiting for it.
    func abandon() { _ = stopping() }

    private func answer(_ request: ServerRequest, for exchange: Exchange) async {
        await withTaskGroup(of: ServerResponse?.self) { group in
            group.addTask { [handler] in await handler(request) }
            group.addTask { [time, limits] in
                do { try await time.sleep(for: limits.handlerDeadline) } catch { return nil }
                return .text("The answer takes too long.\n", status: 503)
            }
            for await case let response? in group {
                exchange.complete(response, by: library)
                break
            }
            group.cancelAll()
        }
    }

    /// Makes room as long as there are too many connections: a full daemon takes no new ones that could ask for it.
    private func thinOut() async {
        repeat {
            do {
                try await Task.sleep(for: .milliseconds(100))
            } catch {
                // Cancelled: without its pause this would spin; the next connection begins anew.
                return state.withLock { $0.isThinningOut = false }
            }
        } while state.withLock { state in
            state.connections.thinOut()
            state.isThinningOut = state.connections.isCrowded && !state.isClosing
            return state.isThinningOut
        }
    }

    private func stopping() -> Task<Void, Never> {
        state.withLock { state in
            if let stopping = state.stopping { return stopping }
            let task = Task { await self.shutDown() }
            state.stopping = task
            return task
        }
    }

    private func shutDown() async {
        let (daemons, sockets) = state.withLock { ($0.daemons, $0.sockets) }
        for daemon in daemons { library.quiesce(daemon) }
        for socket in sockets { socket.refuse() }
        await drain(within: Self.grace)
        let left = state.withLock { state in
            state.isClosing = true
            state.daemons = []
            return Array(state.running.values)
        }
        for running in left {
            running.exchange.complete(.text("The server is closing.\n", status: 503), by: library)
            running.task?.cancel()
        }
        await drain(within: .milliseconds(200))
        // Joins the daemons' threads: on a thread outside the cooperative pool.
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "loopback.stop").async {
                for daemon in daemons { self.library.stop(daemon) }
                continuation.resume()
            }
        }
        state.withLock { $0.sockets = [] }
    }

    private func drain(within duration: Duration) async {
        let idle = Latch<Void>()
        let isIdle = state.withLock { state in
            state.idle = idle
            return state.running.isEmpty
        }
        if !isIdle { _ = await idle.wait(within: duration, on: SystemTime()) }
    }
}
