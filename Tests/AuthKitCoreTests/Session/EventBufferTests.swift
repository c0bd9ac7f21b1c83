import Testing

@testable import AuthKitCore

/// What a subscriber that is slow gets.
@Suite struct EventBufferTests {
    private func event(_ number: Int) -> SessionEvent {
        .renewalFailed(code: "\(number)", remedy: .signInAgain, retryAfter: nil)
    }

    private func drained(_ buffer: inout EventBuffer) -> [SessionEvent] {
        var events: [SessionEvent] = []
        while let event = buffer.popFirst() { events.append(event) }
        return events
    }

    @Test func `whatever fits comes in order`() {
        var buffer = EventBuffer(limit: 8)
        for number in 0..<8 { buffer.append(event(number)) }
        #expect(drained(&buffer) == (0..<8).map(event))
        #expect(buffer.popFirst() == nil)
    }

    @Test func `what does not fit is lost from the middle, and how much is told there`() {
        var buffer = EventBuffer(limit: 8)
        for number in 0..<100 { buffer.append(event(number)) }
        #expect(drained(&buffer) == (0..<4).map(event) + [.missed(92)] + (96..<100).map(event))
    }

    @Test func `taking makes room, and the order stays`() {
        var buffer = EventBuffer(limit: 4)
        for number in 0..<5 { buffer.append(event(number)) }
        #expect(buffer.popFirst() == event(0))
        buffer.append(event(5))
        #expect(drained(&buffer) == [event(1), .missed(2), event(4), event(5)])
        for number in 6..<9 { buffer.append(event(number)) }
        #expect(drained(&buffer) == (6..<9).map(event))
    }

    @Test(arguments: 0..<40)
    func `the last event is never lost, and every one is given or counted`(_ seed: Int) {
        var buffer = EventBuffer(limit: 6)
        var (added, given, missed) = (0, 0, 0)
        var last: SessionEvent?
        func take() {
            switch buffer.popFirst() {
            case .missed(let count): missed += count
            case let event?:
                given += 1
                last = event
            case nil: break
            }
        }
        var random = UInt64(seed) &+ 1
        for _ in 0..<200 {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            if (random >> 33) % 3 == 0 {
                take()
            } else {
                buffer.append(event(added))
                added += 1
            }
        }
        for _ in 0..<20 { take() }
        #expect(given + missed == added)
        #expect(last == event(added - 1))
    }
}
