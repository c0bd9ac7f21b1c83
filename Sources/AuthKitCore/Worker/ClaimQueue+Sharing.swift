/// How issuers share the queue: none keeps the others out, and one that is alone has all of it.
extension ClaimQueue {
    /// How many of each issuer wait.
    private var waiting: [IssuerKey: Int] {
        items.reduce(into: [:]) { $0[$1.issuer, default: 0] += 1 }
    }

    /// The issuers that have their share of the queue, which is smaller the more there are: others may still come in.
    private var crowding: Set<IssuerKey> {
        let waiting = waiting
        let share = max(1, capacity / (waiting.count + 1))
        return Set(waiting.filter { $0.value >= share }.keys)
    }

    /// Whether an issuer has its share: only then have others to be looked for.
    var isCrowded: Bool { !crowding.isEmpty }

    /// Whether anything of an issuer was renewed or waits here, as far as is remembered.
    func knows(_ hash: [UInt8]) -> Bool {
        issuers.values.contains { $0.hashes.contains(hash) }
    }

    /// The hashes of issuers of which a claim is to bring none: they may not be asked before so long.
    ///
    /// One hash stands for an issuer whatever the provider's kind: where two kinds ask the same one, both wait.
    func restingHashes(longerThan patience: Duration, at now: Moment) -> Set<[UInt8]> {
        let time = now.sinceBoot.nanoseconds
        let late = (now.sinceBoot + patience).nanoseconds
        return issuers.values.reduce(into: []) { hashes, issuer in
            guard issuer.restsUntil > time || issuer.bucket.nextTake > late else { return }
            hashes.formUnion(issuer.hashes)
        }
    }

    /// The hashes of issuers whose records are of no use to a look for others': they have their share of the queue.
    func crowdingHashes() -> Set<[UInt8]> {
        let crowding = crowding
        return items.reduce(into: []) { hashes, item in
            guard crowding.contains(item.issuer) else { return }
            hashes.insert(item.record.issuerHash)
            hashes.formUnion(issuers[item.issuer]?.hashes ?? [])
        }
    }

    /// The hashes of issuers that may not be asked now: their rate is used up, or as many are under way as may be.
    func busyHashes(at now: Moment) -> Set<[UInt8]> {
        let time = now.sinceBoot.nanoseconds
        return issuers.values.reduce(into: []) { hashes, issuer in
            guard issuer.running >= issuer.concurrent || issuer.bucket.nextTake > time else { return }
            hashes.formUnion(issuer.hashes)
        }
    }

    /// Takes out what waits for issuers that asked to be let be for longer than so long.
    mutating func takeOutResting(longerThan patience: Duration, at now: Moment) -> [Item] {
        let late = (now.sinceBoot + patience).nanoseconds
        let resting = Set(issuers.filter { $0.value.restsUntil > late }.keys)
        return resting.isEmpty ? [] : takeOut { resting.contains($0.issuer) }
    }

    /// Takes out what is beyond the capacity by more than so many: the latest of those who have most, none in doubt.
    mutating func takeOutExcess(over slack: Int) -> [Item] {
        guard count > capacity + slack else { return [] }
        var calm: [IssuerKey: Int] = [:]
        for item in items where !item.isInDoubt { calm[item.issuer, default: 0] += 1 }
        var out: [Item] = []
        while count > capacity, let most = calm.max(by: { $0.value < $1.value }), most.value > 0,
            let last = items.lastIndex(where: { $0.issuer == most.key && !$0.isInDoubt })
        {
            out.append(items.remove(at: last))
            calm[most.key] = most.value - 1
        }
        return out
    }
}
