/// Any number of timers, each armed, moved and cancelled in constant time, sweeps spread over all that made them
/// needed: a hierarchical timing wheel.
///
/// Eight levels of 64 slots hold deadlines by their highest digit that differs from now's (Varghese and Lauck, scheme 7).
/// A slot is a list of the timers' numbers; a bit for each slot that may hold something finds the next one without a
/// search. A tick is whatever the owner says, counted from zero to 2^48.
///
/// A list is looked at when its slot's time comes, and only then: a timer that was cancelled, or moved to a later slot,
/// stays in the list and is passed over or filed anew; one that is moved to an earlier slot is named there too. So each
/// change writes to the timer alone and at most to the end of one list. When the lists name more than twice as many
/// timers as were ever there at once, all are swept.
///
/// Each timer carries a value of its owner, so that both are in one place in memory.
package struct TimerWheel<Value: Sendable>: Sendable {
    fileprivate struct Timer: Sendable {
        private var packedDeadline = PackedInteger(UInt64(0))
        var generation: UInt32 = 0
        /// The list that its time is looked at with; `nowhere` when in none.
        var place = TimerWheel.nowhere
        var isArmed = false
        /// Found by the sweep that is under way.
        var isFound = false
        var value: Value

        /// When it is due; of a released one the next free number.
        var deadline: UInt64 {
            get { packedDeadline.unsigned }
            set { packedDeadline = PackedInteger(newValue) }
        }

        init(_ value: Value) { self.value = value }

        /// Sets all at once; whether it was not armed before.
        @inline(__always)
        mutating func arm(at tick: UInt64, in place: UInt16, _ value: Value) -> Bool {
            defer { isArmed = true }
            deadline = tick
            self.place = place
            self.value = value
            return !isArmed
        }
    }

    private static var levelCount: Int { 8 }
    private static var slotBits: Int { 6 }
    private static var slotCount: Int { 64 }
    /// The list of deadlines that had passed when they were set.
    private static var passed: UInt16 { UInt16(levelCount * slotCount) }
    private static var nowhere: UInt16 { .max }
    /// The last tick.
    private static var horizon: UInt64 { UInt64(1) << UInt64(levelCount * slotBits) - 1 }
    private static var none: UInt32 { .max }

    private var timers: ContiguousArray<Timer> = []
    private var lists = NumberLists(count: Int(passed) + 1)
    private var occupied = InlineArray<8, UInt64>(repeating: 0)
    private var firstFree = none
    /// The tick up to which everything has been taken out.
    package private(set) var now: UInt64
    /// How many timers are armed.
    package private(set) var armedCount = 0

    /// Makes a wheel without timers.
    package init(now: UInt64 = 0) {
        self.now = now
    }

    /// The bytes taken in memory.
    package var byteCount: Int {
        timers.capacity * MemoryLayout<Timer>.stride + lists.byteCount + Self.levelCount * 8
    }

    /// How many numbers have been given out at most, released ones included: all are below it.
    package var endIndex: Int { timers.count }

    /// The values of all timers as they are now.
    struct Values {
        fileprivate let timers: ContiguousArray<Timer>

        subscript(index: Int) -> Value { timers[index].value }
    }

    /// The values of all timers, to be read while something else is changed.
    var values: Values { Values(timers: timers) }

    /// The value of the timer with a number, released or not.
    package subscript(index: Int) -> Value {
        get { timers[index].value }
        _modify { yield &timers[index].value }
    }

    /// Makes a timer that is not armed; one that had the number before lets its value be carried on.
    package mutating func make(_ value: (Value?) -> Value) -> TimerHandle {
        if firstFree != Self.none {
            let index = firstFree
            let timer = timers[Int(index)]
            firstFree = UInt32(truncatingIfNeeded: timer.deadline)
            timers[Int(index)].value = value(timer.value)
            return handle(at: index)
        }
        timers.makeRoom()
        let index = UInt32(timers.count)
        precondition(index < Self.none, "a wheel holds four thousand million timers")
        timers.append(Timer(value(nil)))
        return handle(at: index)
    }

    /// Sets a timer's deadline, whether it was armed or not; false when it was released.
    @discardableResult
    package mutating func arm(_ handle: TimerHandle, at tick: UInt64) -> Bool {
        guard contains(handle) else { return false }
        arm(Int(handle.index), at: tick)
        return true
    }

    /// Sets the deadline of the timer with a number, which must not be released.
    mutating func arm(_ index: Int, at tick: UInt64) {
        arm(index, at: tick, timers[index].value)
    }

    /// Sets the deadline of the timer with a number, which must not be released, and its value with it.
    @inline(__always)
    mutating func arm(_ index: Int, at tick: UInt64, _ value: Value) {
        var place = timers[index].place
        // Looked at in time where it is named already: filed by its deadline then.
        let isNamed = place != Self.nowhere && start(of: place) <= tick
        if !isNamed { place = self.place(of: tick) }
        let isNew = timers[index].arm(at: tick, in: place, value)
        if isNew { armedCount += 1 }
        if isNamed { return }
        enter(index, in: place)
        if lists.count > 2 * timers.count + 64 { sweep() }
    }

    /// Cancels a timer, which can be armed again; false when it was not armed.
    @discardableResult
    package mutating func disarm(_ handle: TimerHandle) -> Bool {
        contains(handle) && disarm(Int(handle.index))
    }

    /// Cancels the timer with a number, which must not be released; false when it was not armed.
    @discardableResult
    mutating func disarm(_ index: Int) -> Bool {
        guard timers[index].isArmed else { return false }
        timers[index].isArmed = false
        armedCount -= 1
        return true
    }

    /// Cancels a timer and gives its number back.
    package mutating func release(_ handle: TimerHandle) {
        disarm(handle)
        guard contains(handle) else { return }
        let index = Int(handle.index)
        timers[index].generation &+= 1
        timers[index].deadline = UInt64(firstFree)
        firstFree = handle.index
    }

    /// The deadline that a timer was last given; nil when it was released.
    package func deadline(of handle: TimerHandle) -> UInt64? {
        contains(handle) ? timers[Int(handle.index)].deadline : nil
    }

    /// Whether a timer exists.
    package func contains(_ handle: TimerHandle) -> Bool {
        let index = Int(handle.index)
        return index < timers.count && timers[index].generation == handle.generation
    }

    /// Names the timer that now has a number.
    package func handle(at index: UInt32) -> TimerHandle {
        TimerHandle(index: index, generation: timers[Int(index)].generation)
    }

    /// A tick before which nothing is due; nil when nothing is armed.
    ///
    /// Something is to be looked at then, though it may not be due: `advance` says so.
    package var next: UInt64? {
        guard armedCount > 0 else { return nil }
        if !lists.isEmpty(Int(Self.passed)) { return now }
        return firstOccupied.map { max(now, start(of: $0)) }
    }

    /// Moves on, and adds the numbers of the timers whose deadline has come to `due`; they are no longer armed.
    package mutating func advance(to tick: UInt64, due: inout [UInt32]) {
        sortOut(Self.passed, due: &due)
        while let place = firstOccupied {
            let start = start(of: place)
            guard start <= tick else { break }
            now = max(now, start)
            occupied[Int(place) / Self.slotCount] &= ~(1 << UInt64(Int(place) % Self.slotCount))
            sortOut(place, due: &due)
        }
        now = max(now, tick)
    }

    /// The first slot that holds something: the lowest level is always the nearest.
    private var firstOccupied: UInt16? {
        for level in 0..<Self.levelCount where occupied[level] != 0 {
            return UInt16(level * Self.slotCount + occupied[level].trailingZeroBitCount)
        }
        return nil
    }

    /// When a slot begins.
    private func start(of place: UInt16) -> UInt64 {
        guard place < Self.passed else { return 0 }
        let shift = UInt64(Int(place) / Self.slotCount * Self.slotBits)
        let block = (now >> shift) & ~UInt64(Self.slotCount - 1)
        return (block | UInt64(place) & UInt64(Self.slotCount - 1)) << shift
    }

    /// Empties a list: what is due goes out, the rest is filed by what is left.
    private mutating func sortOut(_ place: UInt16, due: inout [UInt32]) {
        var rest = lists.take(Int(place))
        while let number = lists.next(&rest) {
            let index = Int(number)
            // Named elsewhere since, or twice here and dealt with.
            guard timers[index].place == place else { continue }
            timers[index].place = Self.nowhere
            guard timers[index].isArmed else { continue }
            if timers[index].deadline <= now {
                disarm(index)
                due.append(number)
            } else {
                file(index, at: timers[index].deadline)
            }
        }
    }

    private mutating func file(_ index: Int, at tick: UInt64) {
        let place = place(of: tick)
        timers[index].place = place
        enter(index, in: place)
    }

    /// The slot that a deadline belongs to as things are.
    @inline(__always)
    private func place(of tick: UInt64) -> UInt16 {
        let reachable = min(tick, Self.horizon)
        guard reachable > now else { return Self.passed }
        // The highest digit that differs: all above it are now's, so that it names the slot within the level.
        let level = (63 - (reachable ^ now).leadingZeroBitCount) / Self.slotBits
        let slot = Int(truncatingIfNeeded: reachable >> UInt64(level * Self.slotBits)) & (Self.slotCount - 1)
        return UInt16(level * Self.slotCount + slot)
    }

    /// Names a timer in a slot's list.
    @inline(__always)
    private mutating func enter(_ index: Int, in place: UInt16) {
        if place < Self.passed { occupied[Int(place) / Self.slotCount] |= 1 << UInt64(Int(place) % Self.slotCount) }
        lists.append(UInt32(truncatingIfNeeded: index), to: Int(place))
    }

    /// Leaves in each list the timers that are armed and to be looked at with it, each once.
    private mutating func sweep() {
        for place in 0...Self.passed {
            var rest = lists.take(Int(place))
            while let number = lists.next(&rest) {
                let index = Int(number)
                guard timers[index].place == place, !timers[index].isFound else { continue }
                if timers[index].isArmed {
                    timers[index].isFound = true
                    lists.append(number, to: Int(place))
                } else {
                    timers[index].place = Self.nowhere
                }
            }
            if place < Self.passed, lists.isEmpty(Int(place)) {
                occupied[Int(place) / Self.slotCount] &= ~(1 << UInt64(Int(place) % Self.slotCount))
            }
        }
        for index in timers.indices { timers[index].isFound = false }
    }
}
