/// The misbehaviour that is still to come, in order.
public struct FaultScript: Sendable, Hashable {
    /// More faults than this are refused.
    public static let limit = 1000

    /// What is left, first to last.
    public private(set) var pending: [Fault]

    /// Takes faults in the order in which they are to happen.
    public init(_ faults: [Fault] = []) {
        pending = Array(faults.prefix(Self.limit))
    }

    /// Puts faults behind those that are there.
    public mutating func append(_ faults: [Fault]) {
        pending = Array((pending + faults).prefix(Self.limit))
    }

    /// Takes the first fault of a point, counting it down.
    public mutating func take(_ point: Fault.Point) -> FaultKind? {
        guard let index = pending.firstIndex(where: { $0.point == point }) else { return nil }
        let kind = pending[index].kind
        if let count = pending[index].count {
            if count > 1 { pending[index].count = count - 1 } else { pending.remove(at: index) }
        }
        return kind
    }
}
