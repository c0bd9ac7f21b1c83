/// Names a timer of a wheel; a name that was released is never taken for a later one.
package struct TimerHandle: Sendable, Hashable {
    /// The timer's number: dense, from zero, used again after its release.
    package let index: UInt32
    let generation: UInt32
}
