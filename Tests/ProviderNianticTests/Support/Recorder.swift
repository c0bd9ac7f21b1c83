import AuthKitCore

/// Keeps what happened, in order.
final class Recorder<Element: Sendable>: Sendable {
    private let kept = Guarded<[Element]>([])

    /// What happened so far.
    var all: [Element] { kept.withLock { $0 } }

    func add(_ element: Element) { kept.withLock { $0.append(element) } }
}
