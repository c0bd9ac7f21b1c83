import AuthKitCore
import Testing

@Suite struct TimerWheelTests {
    /// What a wheel must do, kept as a list.
    private struct Model {
        var deadlines: [UInt32: UInt64] = [:]
        var now: UInt64 = 0

        mutating func advance(to tick: UInt64) -> [UInt32] {
            now = max(now, tick)
            let due = deadlines.filter { $0.value <= now }.map(\.key).sorted()
            for number in due { deadlines[number] = nil }
            return due
        }
    }

    @Test(arguments: 0..<24) func `does what a list of deadlines does, whatever comes`(seed: UInt64) {
        var random = SeededGenerator(seed)
        var wheel = TimerWheel<UInt8>()
        var model = Model()
        var handles: [TimerHandle] = []
        // Spans from a few ticks to beyond a level or five; some in the past.
        // Every second time a few timers are moved about so much that their lists are swept again and again.
        let isCrowded = seed % 2 == 1
        let far: [UInt64] = isCrowded ? [40_000] : [300_000, 40_000_000, 1 << 40]
        let spans = [3, 64, 200, 5000] + far
        for _ in 0..<4000 {
            let span = spans[Int.random(in: 0..<spans.count, using: &random)]
            let ahead = UInt64.random(in: 0...span, using: &random)
            let isPast = Int.random(in: 0..<9, using: &random) == 0
            let tick = isPast ? model.now - min(model.now, ahead) : model.now + ahead
            let pick = handles.isEmpty ? nil : handles.indices.randomElement(using: &random)
            switch (Int.random(in: 0..<10, using: &random), pick) {
            case (0..<3, _) where !isCrowded || handles.count < 40:
                let handle = wheel.make(at: tick)
                #expect(!handles.contains { $0.index == handle.index })
                handles.append(handle)
                model.deadlines[handle.index] = tick
            case (0..<6, let pick?):
                let isThere = wheel.arm(handles[pick], at: tick)
                #expect(isThere)
                model.deadlines[handles[pick].index] = tick
            case (6, let pick?):
                let wasArmed = model.deadlines.removeValue(forKey: handles[pick].index) != nil
                let isCancelled = wheel.disarm(handles[pick])
                #expect(isCancelled == wasArmed)
            case (7, let pick?):
                let handle = handles.remove(at: pick)
                model.deadlines[handle.index] = nil
                wheel.release(handle)
                let answers = [wheel.contains(handle), wheel.arm(handle, at: tick), wheel.disarm(handle)]
                #expect(answers == [false, false, false])
            default:
                var due: [UInt32] = []
                let tick = isCrowded ? model.now + ahead % 200 : tick
                wheel.advance(to: tick, due: &due)
                let expected = model.advance(to: tick)
                #expect(due.sorted() == expected)
            }
            #expect(wheel.armedCount == model.deadlines.count)
            if let earliest = model.deadlines.values.min() {
                #expect(wheel.next.map { $0 <= max(earliest, model.now) } ?? false)
            }
        }
        // Woken when it says so, it gives out every timer at its own tick and then is empty.
        while let next = wheel.next, model.deadlines.values.contains(where: { $0 < 1 << 41 }) {
            let tick = max(next, model.now)
            var due: [UInt32] = []
            wheel.advance(to: tick, due: &due)
            for number in due { #expect(model.deadlines[number].map { $0 == tick || $0 <= model.now } ?? false) }
            let expected = model.advance(to: tick)
            #expect(due.sorted() == expected)
        }
        #expect(!model.deadlines.values.contains { $0 < 1 << 41 })
    }

    @Test func `each timer comes out at its own tick, looked at a few times at most`() {
        var wheel = TimerWheel<UInt8>()
        let ticks: [UInt64] = [1, 63, 64, 65, 4095, 4096, 4097, 262_143, 262_144, 1_000_003, 3_600_000, 1 << 36]
        let handles = ticks.map { wheel.make(at: $0) }
        var looks = 0
        for (handle, tick) in zip(handles, ticks) {
            var due: [UInt32] = []
            while due.isEmpty {
                guard let next = wheel.next else { break }
                wheel.advance(to: next, due: &due)
                looks += 1
            }
            #expect(due == [handle.index] && wheel.now == tick)
        }
        #expect(wheel.next == nil && looks <= ticks.count * 8)
    }

    @Test func `a wheel that is advanced beyond everything gives everything out`() {
        var wheel = TimerWheel<UInt8>()
        for tick in stride(from: UInt64(0), to: 10_000_000, by: 9973) { _ = wheel.make(at: tick) }
        let count = wheel.armedCount
        var due: [UInt32] = []
        wheel.advance(to: 10_000_000, due: &due)
        #expect(due.count == count && wheel.armedCount == 0 && wheel.next == nil)
    }

    @Test func `a number that is used again is another timer`() {
        var wheel = TimerWheel<UInt8>()
        let first = wheel.make(at: 10)
        wheel.release(first)
        let second = wheel.make(at: 20)
        #expect(second.index == first.index && second != first)
        wheel.release(first)
        let isCancelled = wheel.disarm(first)
        #expect(!isCancelled && wheel.deadline(of: first) == nil && wheel.deadline(of: second) == 20)
    }

    @Test func `moving a timer later costs no room and moving it back is exact`() {
        var wheel = TimerWheel<UInt8>()
        let handle = wheel.make(at: 100)
        let bytes = wheel.byteCount
        for tick in UInt64(101)...5000 { wheel.arm(handle, at: tick) }
        #expect(wheel.byteCount == bytes && wheel.armedCount == 1)
        wheel.arm(handle, at: 70)
        var due: [UInt32] = []
        wheel.advance(to: 69, due: &due)
        #expect(due.isEmpty)
        wheel.advance(to: 70, due: &due)
        #expect(due == [handle.index])
    }

    @Test func `timers that are moved to an earlier slot again and again leave no more than as many names again`() {
        var wheel = TimerWheel<UInt8>()
        let handles = (0..<1000).map { _ in wheel.make(at: 4096 * 60) }
        let bytes = wheel.byteCount
        for step in 1...50 {
            for handle in handles { wheel.arm(handle, at: UInt64(4096 * (60 - step) + Int(handle.index))) }
        }
        #expect(wheel.byteCount - bytes < 8 * handles.count)
        for handle in handles.prefix(500) { wheel.disarm(handle) }
        var due: [UInt32] = []
        wheel.advance(to: 4096 * 10 + 499, due: &due)
        #expect(due.isEmpty)
        for handle in handles.suffix(500) {
            due = []
            wheel.advance(to: UInt64(4096 * 10 + Int(handle.index)), due: &due)
            #expect(due == [handle.index])
        }
        #expect(wheel.armedCount == 0 && wheel.next == nil)
    }

    @Test func `timers that come back to a slot where they are named still leave no more than as many names again`() {
        var wheel = TimerWheel<UInt8>()
        let later = UInt64(4096 * 60)
        let handles = (0..<100).map { _ in wheel.make(at: later) }
        let bytes = wheel.byteCount
        var due: [UInt32] = []
        // Named earlier and moved back: filed anew, where they are named already, when that slot comes up.
        for tick in stride(from: UInt64(64), to: 64 * 500, by: 64) {
            for handle in handles { wheel.arm(handle, at: tick) }
            for handle in handles { wheel.arm(handle, at: later) }
            wheel.advance(to: tick, due: &due)
        }
        #expect(wheel.byteCount - bytes < 16 * handles.count && due.isEmpty)
        wheel.advance(to: later, due: &due)
        #expect(due.sorted() == handles.map(\.index))
    }

    @Test(arguments: [1000, 20_000, 100_000]) func `a timer takes 32 bytes at most, the unused room counted`(count: Int)
    {
        var wheel = TimerWheel<UInt8>()
        let empty = wheel.byteCount
        for tick in 0..<UInt64(count) { _ = wheel.make(at: tick * 37 % 3_600_000) }
        #expect((wheel.byteCount - empty) <= 32 * count)
    }
}

extension TimerWheel<UInt8> {
    /// Makes a timer that is armed.
    fileprivate mutating func make(at tick: UInt64) -> TimerHandle {
        let handle = make { _ in 0 }
        arm(handle, at: tick)
        return handle
    }
}
