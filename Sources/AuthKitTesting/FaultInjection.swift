package import AuthKitCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#else
internal import Darwin
#endif

/// Stops, fails or kills the process at a fault point, the n-th time that a piece of work comes there.
///
/// Works in debug builds alone: in release builds the points do not exist, and `run` throws `NotInThisBuild`.
package final class FaultInjection: Sendable {
    /// What happens at the point.
    package enum Action: String, Sendable, CaseIterable {
        /// The process stops as by SIGSTOP and goes on when it is continued.
        case stop
        /// The step fails with `Injected`.
        case fail
        /// The process is killed as by SIGKILL.
        case kill
    }

    /// The failure of a step that was made to fail.
    package struct Injected: Error, Sendable {
        /// Where.
        package let point: FaultPoint
    }

    /// The build has no fault points.
    package struct NotInThisBuild: Error, Sendable {}

    private let point: FaultPoint
    private let action: Action
    private let occurrence: Int
    private let arrivals = Guarded(0)

    /// Makes one; `occurrence` counts from 1.
    package init(_ action: Action, at point: FaultPoint, occurrence: Int = 1) {
        self.point = point
        self.action = action
        self.occurrence = occurrence
    }

    /// How many times the point was reached.
    package var count: Int { arrivals.withLock { $0 } }

    /// Runs work, and the tasks that it makes, with the fault in place.
    package func run<Result>(_ work: () async throws -> Result) async throws -> Result {
        #if DEBUG
        return try await FaultPoint.$handler.withValue({ [self] in try arrive(at: $0) }, operation: work)
        #else
        throw NotInThisBuild()
        #endif
    }

    private func arrive(at reached: FaultPoint) throws {
        guard reached == point else { return }
        let number = arrivals.withLock { arrivals in
            arrivals += 1
            return arrivals
        }
        guard number == occurrence else { return }
        switch action {
        case .fail: throw Injected(point: point)
        case .stop: try send(SIGSTOP)
        case .kill: try send(SIGKILL)
        }
    }

    /// To this thread, which goes no step further: one to the whole process may reach another thread first.
    private func send(_ signal: Int32) throws {
        guard raise(signal) == 0 else { throw Injected(point: point) }
    }
}
