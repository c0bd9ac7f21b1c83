internal import AuthKitCore
internal import CCurl

/// The transfers under way.
///
/// Stays on the loop's thread.
final class TransferSet {
    private let library: CurlLibrary
    private let multi: MultiHandle
    private let settings: TransferLoop.Settings
    private var transfers: [UInt: Transfer] = [:]

    /// Makes an empty set.
    init(_ multi: MultiHandle, library: CurlLibrary, settings: TransferLoop.Settings) {
        self.multi = multi
        self.library = library
        self.settings = settings
    }

    /// How many are under way.
    var count: Int { transfers.count }

    /// Begins an exchange, unless its caller has left already.
    func start(_ exchange: Exchange) {
        guard !exchange.isEnded else { return }
        do throws(TransportError) {
            let transfer = try Transfer.make(
                exchange,
                trust: settings.trust,
                product: settings.product,
                library: library
            )
            guard multi.add(transfer.easy) else {
                throw TransportError(.unusable, delivery: .notSent, detail: "libcurl takes no further transfer.")
            }
            transfers[transfer.easy.id] = transfer
        } catch {
            exchange.end(.failure(error))
        }
    }

    /// Moves bytes, and tells the callers of what has ended.
    func perform() {
        guard multi.perform() else { return endAll(code: CURLE_FAILED_INIT) }
        while let ended = multi.nextEnded() {
            guard let transfer = transfers.removeValue(forKey: ended.id) else { continue }
            let outcome = transfer.outcome(of: ended.code, at: settings.time.now, library: library)
            multi.remove(transfer.easy)
            transfer.exchange.end(outcome)
        }
    }

    /// Closes the connections of those whose callers have left.
    func dropAbandoned() {
        for transfer in Array(transfers.values) where transfer.exchange.isEnded { drop(transfer) }
    }

    /// Ends those that took too long; returns when the next one will have.
    func endOverdue() -> MonotonicTime {
        let now = MonotonicTime.now
        var next = MonotonicTime.distantFuture
        for transfer in Array(transfers.values) {
            let overdueAt = transfer.overdueAt
            if overdueAt <= now {
                transfer.exchange.end(.failure(transfer.error(for: CURLE_OPERATION_TIMEDOUT, library: library)))
                drop(transfer)
            } else {
                next = min(next, overdueAt)
            }
        }
        return next
    }

    /// Ends all of them.
    func endAll(code: CURLcode) {
        for transfer in Array(transfers.values) {
            transfer.exchange.end(.failure(transfer.error(for: code, library: library)))
            drop(transfer)
        }
    }

    private func drop(_ transfer: Transfer) {
        transfers[transfer.easy.id] = nil
        multi.remove(transfer.easy)
    }
}
