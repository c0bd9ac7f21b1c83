extension RefreshPolicy {
    /// What Niantic's own clients do: looked at every 10 s, renewed within 60 s of the end.
    ///
    /// A life of less than two minutes is used by half. Both figures stand in each of the vendor's clients, none says why.
    public static let niantic = RefreshPolicy(lead: .seconds(60), checkInterval: .seconds(10))

    /// Kindly Chat: renewed 30 s before the end, or after four fifths of a life so short that 30 s would be most of it.
    public static let kindly = RefreshPolicy(lead: .seconds(30), leadFraction: 0.2, floor: .seconds(5))

    /// Salesforce, whose token answers tell no end and whose strict policies end a session at a needless renewal: on demand.
    public static let salesforce = RefreshPolicy(mode: .reactive)
}
