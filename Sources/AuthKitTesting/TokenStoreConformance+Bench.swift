internal import AuthKitCore

extension TokenStoreConformance {
    /// What a rule works with: the store, and ways to say what was expected of it.
    struct Bench: Sendable {
        let rule: String
        let store: any TokenStore
        let patience: Duration

        /// Fails the rule unless a condition holds.
        func expect(_ condition: Bool, _ detail: @autoclosure () -> String) throws {
            if !condition { throw ConformanceFailure(rule: rule, detail: detail()) }
        }

        /// Fails the rule unless the operation throws a `StoreError` of this code.
        func expect(
            _ code: StoreError.Code,
            from what: String,
            _ operation: () async throws -> Void
        ) async throws {
            do {
                try await operation()
            } catch let error as StoreError where error.code == code {
                return
            } catch {
                throw ConformanceFailure(rule: rule, detail: "\(what) must throw \(code), not \(error)")
            }
            throw ConformanceFailure(rule: rule, detail: "\(what) must throw \(code), and did not throw")
        }

        /// Fails the rule unless the operation ends in time; does not wait for one that does not.
        func promptly<Value: Sendable>(
            _ what: String,
            limit: Duration? = nil,
            _ operation: @escaping @Sendable () async throws -> Value
        ) async throws -> Value {
            let limit = limit ?? patience
            let race = Race<Value>()
            let work = Task {
                do {
                    race.finish(.success(try await operation()))
                } catch {
                    race.finish(.failure(error))
                }
            }
            let watchdog = Task {
                guard (try? await Task.sleep(for: limit)) != nil else { return }
                race.finish(.failure(ConformanceFailure(rule: rule, detail: "\(what) did not end within \(limit)")))
            }
            defer {
                work.cancel()
                watchdog.cancel()
            }
            return try await race.result()
        }

        /// Lets other tasks run for a moment, so that a call that was begun is where it waits.
        func settle() async throws {
            try await Task.sleep(for: .milliseconds(30))
        }

        /// Reads a record that must be there.
        func stored(_ key: RecordKey) async throws -> SealedRecord {
            guard let record = try await store.load(key) else {
                throw ConformanceFailure(rule: rule, detail: "a record that was saved is not there")
            }
            return record
        }

        /// A key that ends in a number, so that keys are ordered as the numbers are.
        func key(_ number: Int) throws -> RecordKey {
            var bytes = [UInt8](repeating: 0x40, count: 32)
            bytes[30] = UInt8(truncatingIfNeeded: number >> 8)
            bytes[31] = UInt8(truncatingIfNeeded: number)
            guard let key = RecordKey(bytes: bytes) else {
                throw ConformanceFailure(rule: rule, detail: "32 bytes must make a key")
            }
            return key
        }

        /// A version whose incarnation consists of one repeated byte.
        func version(_ revision: Int64, of life: UInt8 = 1) throws -> RecordVersion {
            guard let incarnation = Incarnation(bytes: [UInt8](repeating: life, count: 16)) else {
                throw ConformanceFailure(rule: rule, detail: "16 bytes must make an incarnation")
            }
            return RecordVersion(incarnation: incarnation, revision: revision)
        }

        /// A record with something in every column.
        func record(
            _ key: RecordKey,
            _ version: RecordVersion,
            payload: [UInt8] = [1, 2, 3],
            reserve: Int = 0
        ) -> SealedRecord {
            SealedRecord(
                key: key,
                version: version,
                keyID: [UInt8](0..<16),
                issuerHash: [UInt8](100..<132),
                due: WallTime(sinceEpoch: .seconds(1_800_000_000) + .nanoseconds(123_456_789)),
                metadata: [9, 8, 7, 0, 255],
                payload: payload,
                reserve: reserve
            )
        }
    }

    /// Takes the first of two results.
    private final class Race<Value: Sendable>: Sendable {
        private enum State {
            case open
            case waiting(CheckedContinuation<Value, any Error>)
            case done(Swift.Result<Value, any Error>)
            case over
        }

        private let state = Guarded(State.open)

        func finish(_ result: Swift.Result<Value, any Error>) {
            let waiter: CheckedContinuation<Value, any Error>? = state.withLock { state in
                switch state {
                case .open:
                    state = .done(result)
                    return nil
                case .waiting(let continuation):
                    state = .over
                    return continuation
                case .done, .over: return nil
                }
            }
            waiter?.resume(with: result)
        }

        func result() async throws -> Value {
            try await withCheckedThrowingContinuation { continuation in
                let result: Swift.Result<Value, any Error>? = state.withLock { state in
                    guard case .done(let result) = state else {
                        state = .waiting(continuation)
                        return nil
                    }
                    state = .over
                    return result
                }
                if let result { continuation.resume(with: result) }
            }
        }
    }
}
