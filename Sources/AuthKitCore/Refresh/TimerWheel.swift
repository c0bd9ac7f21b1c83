/// Any number of timers, each armed, moved and cancelled in constant time: a hierarchical timing wheel.
///
/// Eight levels of 64 slots hold deadlines by their highest digit that differs from now's (Varghese and Lauck, scheme 7).
/// A slot is a ring of nodes in one array, linked by 32-bit indices, its head among them; a bit for each slot that may
/// hold something finds the next one without a search. A tick is whatever the owner says, counted from zero to 2^48.
///
/// A timer that is moved to a later deadline stays in its slot and is filed anew when that slot's time comes: it is
/// the common case, and costs one write.
package struct TimerWheel: Sendable {
    /// Names a timer; a name that was released is never taken for a later one.
    package struct Handle: Sendable, Hashable {
        /// The timer's number: dense, from zero, used again after its release.
        package let index: UInt32
        fileprivate let generation: UInt32
    }

    private struct Node: Sendable {
        private var packedDeadline = PackedInteger(UInt64(0))
        /// The next in the ring; itself when the timer is not armed; the next free one when it was released.
        var next: UInt32
        var previous: UInt32
        var generation: UInt32 = 0

        var deadline: UInt64 {
            get { packedDeadline.unsigned }
            set { packedDeadline = PackedInteger(newValue) }
        }

        /// A ring of its own: an empty slot, or a timer that is not armed.
        init(ring number: UInt32) {
            next = number
            previous = number
        }
    }

    private static let levelCount = 8
    private static let slotBits = 6
    private static let slotCount = 64
    /// The ring of deadlines that had passed when they were set.
    private static let passed = UInt32(levelCount * slotCount)
    /// The nodes before the first timer: the heads of all rings.
    private static let headCount = levelCount * slotCount + 1
    /// The last tick.
    private static let horizon = UInt64(1) << UInt64(levelCount * slotBits) - 1
    private static let none = UInt32.max

    private var nodes: ContiguousArray<Node>
    private var occupied = [UInt64](repeating: 0, count: levelCount)
    private var firstFree = none
    /// The tick up to which everything has been taken out.
    package private(set) var now: UInt64
    /// How many timers are armed.
    package private(set) var armedCount = 0

    /// Makes a wheel without timers.
    package init(now: UInt64 = 0) {
        self.now = now
        nodes = ContiguousArray((0..<UInt32(Self.headCount)).map(Node.init(ring:)))
    }

    /// Makes room for so many timers in all.
    package mutating func reserve(_ count: Int) {
        nodes.reserveCapacity(Self.headCount + count)
    }

    /// The room to make where so much is used: an eighth more, not twice, since the room that is not used counts too.
    static func roomier(_ count: Int) -> Int { count + max(64, count / 8) }

    /// The bytes taken in memory.
    package var byteCount: Int { nodes.capacity * MemoryLayout<Node>.stride + Self.levelCount * 8 }

    /// Makes a timer that is not armed.
    package mutating func make() -> Handle {
        if firstFree != Self.none {
            let number = firstFree
            firstFree = nodes[Int(number)].next
            nodes[Int(number)].next = number
            return handle(number)
        }
        if nodes.count == nodes.capacity {
            nodes.reserveCapacity(Self.roomier(nodes.count))
        }
        let number = UInt32(nodes.count)
        precondition(number < Self.none, "a wheel holds four thousand million timers")
        nodes.append(Node(ring: number))
        return handle(number)
    }

    /// Makes a timer that is armed.
    package mutating func make(at tick: UInt64) -> Handle {
        let handle = make()
        file(handle.index + UInt32(Self.headCount), at: tick)
        armedCount += 1
        return handle
    }

    /// Sets a timer's deadline, whether it was armed or not; false when it was released.
    @discardableResult
    package mutating func arm(_ handle: Handle, at tick: UInt64) -> Bool {
        guard let number = number(handle) else { return false }
        if nodes[Int(number)].next != number {
            if tick >= nodes[Int(number)].deadline {
                nodes[Int(number)].deadline = tick
                return true
            }
            unlink(number)
        } else {
            armedCount += 1
        }
        file(number, at: tick)
        return true
    }

    /// Cancels a timer, which can be armed again; false when it was not armed.
    @discardableResult
    package mutating func disarm(_ handle: Handle) -> Bool {
        guard let number = number(handle), nodes[Int(number)].next != number else { return false }
        unlink(number)
        nodes[Int(number)].next = number
        armedCount -= 1
        return true
    }

    /// Cancels a timer and gives its number back.
    package mutating func release(_ handle: Handle) {
        disarm(handle)
        guard let number = number(handle) else { return }
        nodes[Int(number)].generation &+= 1
        nodes[Int(number)].next = firstFree
        firstFree = number
    }

    /// The deadline that a timer was last given; nil when it was released.
    package func deadline(of handle: Handle) -> UInt64? {
        number(handle).map { nodes[Int($0)].deadline }
    }

    /// Whether a timer exists.
    package func contains(_ handle: Handle) -> Bool { number(handle) != nil }

    /// Names the timer that now has a number.
    package func handle(at index: UInt32) -> Handle { handle(index + UInt32(Self.headCount)) }

    /// A tick before which nothing is due; nil when nothing is armed.
    ///
    /// Something is to be looked at then, though it may not be due: `advance` says so.
    package var next: UInt64? {
        if nodes[Int(Self.passed)].next != Self.passed { return now }
        return firstOccupied.map { $0.start }
    }

    /// Moves on, and adds the numbers of the timers whose deadline has come to `due`; they are no longer armed.
    package mutating func advance(to tick: UInt64, due: inout [UInt32]) {
        sortOut(Self.passed, due: &due)
        while let (head, start) = firstOccupied, start <= tick {
            now = start
            occupied[Int(head) / Self.slotCount] &= ~(1 << UInt64(Int(head) % Self.slotCount))
            sortOut(head, due: &due)
        }
        now = max(now, tick)
    }

    /// The first slot that holds something, and when it begins: the lowest level is always the nearest.
    private var firstOccupied: (head: UInt32, start: UInt64)? {
        for level in 0..<Self.levelCount where occupied[level] != 0 {
            let slot = occupied[level].trailingZeroBitCount
            let shift = UInt64(level * Self.slotBits)
            let block = (now >> shift) & ~UInt64(Self.slotCount - 1)
            return (UInt32(level * Self.slotCount + slot), (block | UInt64(slot)) << shift)
        }
        return nil
    }

    /// Empties a ring: what is due goes out, the rest is filed by what is left.
    private mutating func sortOut(_ head: UInt32, due: inout [UInt32]) {
        var number = nodes[Int(head)].next
        let last = nodes[Int(head)].previous
        guard number != head else { return }
        nodes[Int(head)] = Node(ring: head)
        while true {
            let following = nodes[Int(number)].next
            let deadline = nodes[Int(number)].deadline
            if deadline <= now {
                nodes[Int(number)].next = number
                armedCount -= 1
                due.append(number - UInt32(Self.headCount))
            } else {
                file(number, at: deadline)
            }
            if number == last { return }
            number = following
        }
    }

    private mutating func file(_ number: UInt32, at tick: UInt64) {
        let head: UInt32
        if min(tick, Self.horizon) <= now {
            head = Self.passed
        } else {
            // The highest digit that differs: all above it are now's, so that it names the slot within the level.
            let reachable = min(tick, Self.horizon)
            let level = (63 - (reachable ^ now).leadingZeroBitCount) / Self.slotBits
            let slot = Int(truncatingIfNeeded: reachable >> UInt64(level * Self.slotBits)) & (Self.slotCount - 1)
            occupied[level] |= 1 << UInt64(slot)
            head = UInt32(level * Self.slotCount + slot)
        }
        let last = nodes[Int(head)].previous
        nodes[Int(number)].deadline = tick
        nodes[Int(number)].next = head
        nodes[Int(number)].previous = last
        nodes[Int(head)].previous = number
        nodes[Int(last)].next = number
    }

    private mutating func unlink(_ number: UInt32) {
        let (next, previous) = (nodes[Int(number)].next, nodes[Int(number)].previous)
        nodes[Int(previous)].next = next
        nodes[Int(next)].previous = previous
        // Alone with its head: the slot is empty now.
        if next == previous, next < Self.passed {
            occupied[Int(next) / Self.slotCount] &= ~(1 << UInt64(Int(next) % Self.slotCount))
        }
    }

    private func handle(_ number: UInt32) -> Handle {
        Handle(index: number - UInt32(Self.headCount), generation: nodes[Int(number)].generation)
    }

    private func number(_ handle: Handle) -> UInt32? {
        let number = Int(handle.index) + Self.headCount
        guard number < nodes.count, nodes[number].generation == handle.generation else { return nil }
        return UInt32(number)
    }
}
