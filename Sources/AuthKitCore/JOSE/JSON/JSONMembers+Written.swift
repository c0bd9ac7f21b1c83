extension JSONMembers {
    /// The value of a member as it was written, the quotes of a string included; nil where there is no such member.
    package func written(_ name: String) -> [UInt8]? {
        guard let member = find(JSONName(name)) else { return nil }
        return bytes.span.extracting(range).extracting(member.range).array()
    }
}
