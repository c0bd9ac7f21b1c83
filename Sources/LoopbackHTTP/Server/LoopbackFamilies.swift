/// Which loopback addresses a server listens on.
public enum LoopbackFamilies: Sendable, Hashable {
    /// 127.0.0.1.
    case v4
    /// ::1.
    case v6
    /// Both on one port; 127.0.0.1 alone on a machine without IPv6.
    case both
}
