/// What a development issuer has done so far.
public struct DevStatistics: Sendable, Hashable {
    /// More refresh requests than this are not listed; the oldest go.
    public static let refreshLogLimit = 1000

    /// Requests by endpoint, refused ones included.
    public internal(set) var requests: [String: Int] = [:]
    /// Codes sent to clients.
    public internal(set) var codesIssued = 0
    /// Codes redeemed.
    public internal(set) var codesRedeemed = 0
    /// Codes that came a second time.
    public internal(set) var codeReplays = 0
    /// Refreshes granted, repeats within the grace left out.
    public internal(set) var refreshesGranted = 0
    /// Refreshes answered a second time within the grace.
    public internal(set) var graceRepeats = 0
    /// Refresh tokens that came after they were rotated away.
    public internal(set) var reuseDetections = 0
    /// Families that ended, by reuse, replay or revocation.
    public internal(set) var familiesKilled = 0
    /// Families that live.
    public internal(set) var activeFamilies = 0
    /// Key rotations.
    public internal(set) var keyRotations = 0
    /// Faults that happened, as written, with how many times.
    public internal(set) var faults: [String: Int] = [:]
    /// Refresh requests, oldest first.
    public internal(set) var refreshes: [RefreshRecord] = []
    /// What the identity service of the NSDK has done.
    public internal(set) var niantic = DevNianticStatistics()

    init() {}

    mutating func note(_ record: RefreshRecord) {
        if refreshes.count >= Self.refreshLogLimit { refreshes.removeFirst() }
        refreshes.append(record)
    }
}
