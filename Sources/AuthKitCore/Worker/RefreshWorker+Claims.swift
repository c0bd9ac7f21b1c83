/// What a worker claims, what it makes of it, and how it gives back what it does not use.
extension RefreshWorker {
    /// So many claims are held back at most, and as many wait to be given back; those beyond lapse by themselves.
    private static let heldBackLimit = 16_384
    /// A claim leaves out so many issuers at most: the bound of `DueTokenStore`.
    private static let exclusionLimit = 1000
    /// The longest pause between two looks for others' records.
    private static let longestLookPause = Duration.seconds(10)

    /// Claims more when there is little left; whether anything came.
    func claimIfWanted() async -> Bool {
        if await lookForOthers() { return true }
        let now = time.now
        guard wait(untilClaimAt: now) <= .zero else { return false }
        // While nothing that is claimed opens, one tells as much as a batch.
        let limit = claimFailures > 0 ? 1 : min(options.batch, max(1, queue.capacity - queue.count))
        guard let records = await claim(limit, at: now) else { return false }
        guard await accept(records, claimedAt: now) else {
            backOff(at: now)
            return false
        }
        claimFailures = 0
        // Fewer than asked for: there is no more for now.
        let isAll = records.count < limit
        nextClaim = (now, isAll ? options.pollInterval * Double.random(in: 0.9...1.1) : .zero)
        return !records.isEmpty
    }

    /// Claims what issuers with little in the queue have due, where one has its share; whether anything came.
    ///
    /// What one issuer has due earlier, however much, keeps no other waiting. A store may have to pass over all of it
    /// to find the others' records, so that a look that found no more of them is not made again at once.
    private func lookForOthers() async -> Bool {
        let now = time.now
        guard let pause = wait(untilLookAt: now), pause <= .zero else { return false }
        let limit = min(options.batch, max(slack, queue.capacity - queue.count))
        let others = [queue.crowdingHashes(), queue.busyHashes(at: now)]
        guard let records = await claim(limit, leavingOut: others, at: now) else { return false }
        let took = time.now.since(now)
        guard await accept(records, claimedAt: now) else {
            backOff(at: now)
            return false
        }
        let next = max(options.pollInterval, min(took * 10, Self.longestLookPause))
        // Again at once where more may be there and what came can be begun.
        let goesOn = records.count == limit && queue.wait(at: time.now) == .zero
        nextLook = (now, goesOn ? .zero : next)
        return !records.isEmpty
    }

    /// How many may be claimed for a queue that is full, of others than those that fill it.
    private var slack: Int { max(1, options.batch / 4) }

    /// Claims from the store, leaving out who rests, who is passed over, and more; nil when that failed.
    private func claim(
        _ limit: Int,
        leavingOut others: [Set<[UInt8]>] = [],
        at now: Moment
    ) async -> [SealedRecord]? {
        let resting = queue.restingHashes(longerThan: options.claimDuration / 2, at: now)
        var excluded: Set<[UInt8]> = []
        for hashes in [resting, passedOver.issuers(at: now)] + others {
            excluded.formUnion(hashes.prefix(Self.exclusionLimit - excluded.count))
        }
        do {
            let records = try await store.claimDue(
                before: nil,
                limit: limit,
                for: options.claimDuration,
                excluding: excluded
            )
            totals.claimed += records.count
            return records
        } catch {
            totals.storeFailures += 1
            Trace.note("Claiming what is due failed: \(error)")
            backOff(at: now)
            return nil
        }
    }

    private func backOff(at now: Moment) {
        claimFailures += 1
        var generator = SystemRandomNumberGenerator()
        nextClaim = (now, backoff.delay(afterFailures: claimFailures, using: &generator))
    }

    /// Opens what was claimed, and puts it where it belongs; whether any could be read, if there was any.
    private func accept(_ records: [SealedRecord], claimedAt: Moment) async -> Bool {
        // A vault asks its key source for a key that it lacks: once for each claim is enough.
        var missingKeys: Set<[UInt8]> = []
        var unread = 0
        for record in records {
            guard !isRenewing(record.key) else {
                totals.busy += 1  // Its due time came while it is on its way.
                holdBack(record, for: options.busyPause)
                continue
            }
            guard !missingKeys.contains(record.keyID) else {
                unread += 1
                passOver(record)
                continue
            }
            do {
                accept(record, try await vault.open(record), claimedAt: claimedAt)
            } catch let error as VaultError where error.code == .tampered {
                totals.damaged += 1
                Trace.note("A record that is due does not open: \(error)")
                // Its claim lapses; nobody else opens it either.
            } catch let error as StoreError where error.code == .conflict {
                totals.busy += 1  // It was saved or moved since: the claim ended with that.
            } catch let error as VaultError {
                unread += 1
                missingKeys.insert(record.keyID)
                Trace.note("A record that is due cannot be opened here: \(error)")
                passOver(record)
            } catch {
                unread += 1
                totals.storeFailures += 1
                Trace.note("A record that is due could not be read: \(error)")
                holdBack(record, for: options.busyPause)
            }
        }
        giveBack(queue.takeOutExcess(over: slack))
        return records.isEmpty || unread < records.count
    }

    private func accept(_ record: SealedRecord, _ entry: VaultEntry, claimedAt: Moment) {
        guard let provider = provider(entry.credential), !provider.traits.needsCallback else { return passOver(record) }
        let item = ClaimQueue.Item(record: record, entry: entry, provider: provider, claimedAt: claimedAt)
        queue.push(item, at: claimedAt)
    }

    // MARK: Not used

    /// Leaves a record that this worker cannot use to those that can.
    private func passOver(_ record: SealedRecord) {
        totals.skipped += 1
        let pause = queue.knows(record.issuerHash) ? nil : options.claimDuration
        if passedOver.meet(record, leavingIssuerFor: pause, at: time.now) {
            giveBack([(record.key, record.version)])
        } else {
            holdBack(record, for: options.claimDuration / 2)
        }
    }

    /// Gives back what was held back long enough, and what has waited until its claim is about to lapse or in vain.
    func tidy() {
        let now = time.now
        giveUpLate()
        giveBack(queue.takeOut(claimedBefore: options.claimDuration * 0.75, at: now))
        giveBack(queue.takeOutResting(longerThan: options.pollInterval, at: now))
        guard heldBack.contains(where: { now.since($0.since) >= $0.pause }) else { return }
        let ended = heldBack.filter { now.since($0.since) >= $0.pause }
        heldBack.removeAll { now.since($0.since) >= $0.pause }
        for claim in ended { passedOver.forget(claim.key) }
        giveBack(ended.map { ($0.key, $0.version) })
    }

    func holdBack(_ record: SealedRecord, for pause: Duration) {
        guard heldBack.count < Self.heldBackLimit else { return }
        heldBack.append(HeldBack(key: record.key, version: record.version, since: time.now, pause: pause))
    }

    func giveBack(_ items: [ClaimQueue.Item]) {
        giveBack(items.map { ($0.record.key, $0.record.version) })
    }

    /// Gives claims back, in a task of its own: renewals do not wait for it.
    func giveBack(_ claims: [(key: RecordKey, version: RecordVersion)]) {
        guard !claims.isEmpty else { return }
        returning += claims.prefix(Self.heldBackLimit - returning.count)
        guard !isReturning else { return }
        isReturning = true
        Task {
            while let claim = returning.popLast() {
                do {
                    try await store.unclaim(claim.key, expecting: claim.version)
                } catch {
                    Trace.note("Giving a claim back failed: \(error)")
                    returning = []  // They lapse.
                }
            }
            isReturning = false
            wake()
        }
    }

    // MARK: Times

    /// How long until more is to be claimed.
    ///
    /// A queue that is long enough is added to all the same once in a while: what is in doubt cannot wait for its end.
    func wait(untilClaimAt now: Moment) -> Duration {
        let enough = min(queue.capacity, options.limits.total.concurrent)
        let least = queue.count < enough ? nextClaim.wait : options.pollInterval
        return max(nextClaim.wait, least) - now.since(nextClaim.from)
    }

    /// How long until others' records are looked for; nil while no issuer has its share.
    func wait(untilLookAt now: Moment) -> Duration? {
        claimFailures == 0 && queue.isCrowded ? nextLook.wait - now.since(nextLook.from) : nil
    }
}
