/// The events that one subscriber has not taken yet: bounded, and what overflows is lost from the middle.
///
/// The oldest half stays, so that the story begins where it was left; so do the newest, so that it ends where things
/// stand. In between `missed` says how many are not there.
struct EventBuffer: Sendable {
    private let limit: Int
    private var oldest: [SessionEvent] = []
    private var missed = 0
    private var newest: [SessionEvent] = []

    /// Makes an empty buffer of so many events, two at least.
    init(limit: Int = 64) {
        self.limit = max(2, limit)
    }

    /// Takes one in.
    mutating func append(_ event: SessionEvent) {
        if missed == 0, newest.isEmpty, oldest.count < limit / 2 {
            oldest.append(event)
            return
        }
        if newest.count == limit - limit / 2 {
            newest.removeFirst()
            missed += 1
        }
        newest.append(event)
    }

    /// Gives the next one out; nil when there is none.
    mutating func popFirst() -> SessionEvent? {
        if oldest.isEmpty {
            if missed > 0 {
                defer { missed = 0 }
                return .missed(missed)
            }
            swap(&oldest, &newest)
        }
        return oldest.isEmpty ? nil : oldest.removeFirst()
    }
}
