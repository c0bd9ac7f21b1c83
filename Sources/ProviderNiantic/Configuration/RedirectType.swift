/// How the sign-in page brings its answer back, as its `redirectType` says.
public struct RedirectType: Sendable, Hashable, CustomStringConvertible {
    /// The value that is sent.
    public let name: String
    /// Whether the answer comes to a port of this machine instead of to a scheme.
    public let usesLoopback: Bool

    private init(name: String, usesLoopback: Bool) {
        self.name = name
        self.usesLoopback = usesLoopback
    }

    /// One whose answer comes to the scheme of the same name.
    public static func scheme(_ name: String) -> RedirectType { RedirectType(name: name, usesLoopback: false) }

    /// One whose answer comes to a port on loopback.
    public static func loopback(_ name: String) -> RedirectType { RedirectType(name: name, usesLoopback: true) }

    /// That of the Swift and Kotlin samples: `nsdk-samples`.
    public static let samples = scheme("nsdk-samples")
    /// That for an app of one's own: `nsdk-external`.
    public static let external = scheme("nsdk-external")
    /// That of the Unity sample: `nsdk-unity-samples`.
    public static let unitySamples = scheme("nsdk-unity-samples")
    /// That of the Unity editor, whose answer comes to loopback: `unity-editor` with a `port`.
    public static let unityEditor = loopback("unity-editor")

    /// The schemes that the sign-in page is known to redirect to.
    public static let knownSchemes: Set<String> = ["nsdk-samples", "nsdk-external", "nsdk-unity-samples"]

    /// The value that is sent.
    public var description: String { name }
}
