public import AuthKitCore

extension ProviderKind {
    /// Niantic Spatial's NSDK, by whichever flow its access token comes.
    public static let niantic = ProviderKind("niantic")
}
