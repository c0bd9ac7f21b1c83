/// Bounds for reading JSON.
public struct JSONLimits: Sendable, Hashable {
    /// How deep arrays and objects may be nested; at most 512.
    public var depth: Int
    /// How many bytes there may be.
    public var byteCount: Int

    /// Makes bounds: 16 levels and 1 MiB unless asked otherwise.
    public init(depth: Int = 16, byteCount: Int = 1 << 20) {
        self.depth = min(depth, 512)
        self.byteCount = byteCount
    }
}
