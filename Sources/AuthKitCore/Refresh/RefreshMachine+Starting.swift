extension RefreshMachine {
    /// How many sessions are judged anew in one step.
    private static let judgingBatch = 4096

    /// Moves on to a reading of the clocks: what is to be done now, and how long to sleep afterwards.
    package mutating func advance(to now: Moment) -> Step {
        var step = Step()
        look(at: now)
        step.clockStep = pendingStep
        pendingStep = nil
        if let planned = plannedWake, clock.elapsed - planned > Self.longestSleep.nanoseconds {
            step.overslept = .nanoseconds(clock.elapsed - planned)
        }
        collectDue(into: &step)
        collectJudged(into: &step)
        while let item = resting.first, item.key <= clock.elapsed {
            resting.pop()
            guard Self.rests(item, issuers) else { continue }
            issuers[Int(item.number)].place = .none
            offer(Int(item.number))
        }
        while let start = startNext() { step.starts.append(start) }
        step.sleep = sleep
        plannedWake = step.sleep.map { clock.elapsed + $0.nanoseconds }
        return step
    }

    /// Reads the clocks; after a step of the wall clock all wall-bound sessions are to be judged.
    mutating func look(at now: Moment) {
        if let step = clock.read(now) { note(step) }
    }

    /// Takes in that the wall clock was stepped.
    mutating func note(_ step: Duration) {
        judging = 0
        pendingStep = (pendingStep ?? .zero) + step
    }

    /// Withdraws a session that waits, and gives its entry as it is then.
    @inline(never)
    mutating func withdraw(_ index: Int, _ waiting: Entry) -> Entry {
        let issuer = Int(waiting.issuer)
        var entry = waiting
        entry.stamp &+= 1
        entry.stage = .idle
        wheel[index] = entry
        waitingCount -= 1
        issuers[issuer].waiting -= 1
        guard issuers[issuer].staleCount > issuers[issuer].waiting + 64 else { return entry }
        let entries = wheel.values
        issuers[issuer].timely.sweep { Self.waits($0, entries) }
        issuers[issuer].late.sweep { Self.waits($0, entries) }
        return entry
    }

    /// Lets an issuer compete if somebody waits for it and it may be asked.
    mutating func offer(_ number: Int) {
        guard issuers[number].place != .resting, issuers[number].running < issuers[number].concurrent,
            let key = firstKey(of: number)
        else { return }
        if case .offered(let known) = issuers[number].place, known <= key { return }
        issuers[number].place = .offered(key)
        issuers[number].offer &+= 1
        offers.push(WaitingQueue.Item(key: key, number: UInt32(number), stamp: issuers[number].offer))
        guard offers.count > 2 * issuers.count + 64 else { return }
        let issuers = issuers
        offers.sweep { Self.isOffered($0, issuers) }
    }

    /// The number of an issuer, which is made if it is new.
    mutating func issuerNumber(_ key: IssuerKey) -> UInt32 {
        if let number = issuerNumbers[key] { return number }
        let issuer = IssuerQueue(key, limits.issuers[key.issuer] ?? limits.perIssuer)
        let number: UInt32
        // Those without sessions give their place up; a bucket that is not full yet is kept, and its limit with it.
        if issuers.count >= 64, issuers.count.nonzeroBitCount == 1,
            let free = issuers.firstIndex(where: { $0.isUnused(at: clock.elapsed) })
        {
            issuerNumbers[issuers[free].key] = nil
            number = UInt32(free)
            issuers[free] = issuer
        } else {
            number = UInt32(issuers.count)
            issuers.append(issuer)
        }
        issuerNumbers[key] = number
        return number
    }

    /// Takes out of the wheel what is due.
    private mutating func collectDue(into step: inout Step) {
        var due: [UInt32] = []
        wheel.advance(to: UInt64(clock.elapsed / Self.tick), due: &due)
        var touched: Set<UInt32> = []
        var overdue: [Start] = []
        for number in due {
            let index = Int(number)
            switch wheel[index].stage {
            case .armed:
                wheel[index].stage = .waiting
                wheel[index].stamp &+= 1
                waitingCount += 1
                let item = WaitingQueue.Item(key: wheel[index].end, number: number, stamp: wheel[index].stamp)
                issuers[Int(wheel[index].issuer)].push(item, at: clock.elapsed)
                touched.insert(wheel[index].issuer)
            case .running, .leaving:
                let id = wheel.handle(at: number)
                overdue.append(Start(id: id, attempt: wheel[index].stamp, waited: .zero, late: .zero))
            case .idle, .waiting:
                break  // Neither has a timer.
            }
        }
        for issuer in touched { offer(Int(issuer)) }
        for start in overdue {
            let pause = end(start, .failed(retryAfter: nil, floor: .zero))
            step.abandoned.append((start, pause ?? .zero))
        }
    }

    /// Names the next of those that a step of the wall clock concerns.
    private mutating func collectJudged(into step: inout Step) {
        guard var index = judging else { return }
        while index < wheel.endIndex, step.judged.count < Self.judgingBatch {
            let entry = wheel[index]
            if entry.isWallBound, entry.stage == .armed || entry.stage == .waiting {
                step.judged.append(wheel.handle(at: UInt32(index)))
            }
            index += 1
        }
        judging = index < wheel.endIndex ? index : nil
    }

    /// Starts the one that is first, if the limits allow one.
    private mutating func startNext() -> Start? {
        while runningCount < limits.total.concurrent, total.nextTake <= clock.elapsed, let offered = offers.first {
            let issuer = Int(offered.number)
            guard Self.isOffered(offered, issuers) else {
                offers.pop()
                continue
            }
            offers.pop()
            issuers[issuer].place = .none
            guard issuers[issuer].running < issuers[issuer].concurrent, let key = firstKey(of: issuer) else { continue }
            guard key == offered.key else {
                offer(issuer)  // What was on time has become late, or no longer waits.
                continue
            }
            let next = issuers[issuer].bucket.nextTake
            guard next <= clock.elapsed else {
                rest(issuer, until: next)
                continue
            }
            guard let item = issuers[issuer].popFirst() else { continue }
            let start = start(item, issuer)
            offer(issuer)
            return start
        }
        return nil
    }

    /// Lets an issuer wait for its own rate.
    private mutating func rest(_ number: Int, until time: Int64) {
        issuers[number].place = .resting
        issuers[number].offer &+= 1
        resting.push(WaitingQueue.Item(key: time, number: UInt32(number), stamp: issuers[number].offer))
        guard resting.count > 2 * issuers.count + 64 else { return }
        let issuers = issuers
        resting.sweep { Self.rests($0, issuers) }
    }

    private mutating func start(_ item: WaitingQueue.Item, _ issuer: Int) -> Start {
        let index = Int(item.number)
        total.take(at: clock.elapsed)
        issuers[issuer].bucket.take(at: clock.elapsed)
        issuers[issuer].running += 1
        runningCount += 1
        waitingCount -= 1
        wheel[index].stage = .running
        let id = wheel.handle(at: item.number)
        let due = Int64(wheel.deadline(of: id) ?? 0) * Self.tick
        wheel.arm(index, at: tick(in: renewalLimit.nanoseconds))
        return Start(
            id: id,
            attempt: wheel[index].stamp,
            waited: .nanoseconds(max(0, clock.elapsed - due)),
            late: .nanoseconds(max(0, clock.elapsed - wheel[index].end))
        )
    }

    /// Until the next thing can happen, from a millisecond to half a minute.
    private var sleep: Duration? {
        guard sessionCount > 0 else { return nil }
        var wake = clock.elapsed + Self.longestSleep.nanoseconds
        if let next = wheel.next { wake = min(wake, Int64(next) * Self.tick) }
        if let item = resting.first { wake = min(wake, item.key) }
        if offers.first != nil, runningCount < limits.total.concurrent { wake = min(wake, total.nextTake) }
        if judging != nil { wake = clock.elapsed }
        return .nanoseconds(max(Self.tick, wake - clock.elapsed))
    }

    private mutating func firstKey(of issuer: Int) -> Int64? {
        let entries = wheel.values
        return issuers[issuer].firstKey(at: clock.elapsed) { Self.waits($0, entries) }
    }

    private static func waits(_ item: WaitingQueue.Item, _ entries: TimerWheel<Entry>.Values) -> Bool {
        let entry = entries[Int(item.number)]
        return entry.stamp == item.stamp && entry.stage == .waiting
    }

    private static func rests(_ item: WaitingQueue.Item, _ issuers: [IssuerQueue]) -> Bool {
        let issuer = issuers[Int(item.number)]
        return issuer.place == .resting && issuer.offer == item.stamp
    }

    private static func isOffered(_ item: WaitingQueue.Item, _ issuers: [IssuerQueue]) -> Bool {
        let issuer = issuers[Int(item.number)]
        guard case .offered = issuer.place else { return false }
        return issuer.offer == item.stamp
    }
}
