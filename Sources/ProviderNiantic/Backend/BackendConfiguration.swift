public import AuthKitCore

/// The app's own back end that hands out NSDK access tokens: where it is, what it is sent, and how it answers.
///
/// The default is the shape of the vendor's own sample back end: `GET`, and `accessToken`, `expiresIn` (seconds) and
/// `error` in JSON.
public struct BackendConfiguration: Sendable, Hashable {
    /// The method of the request.
    public enum Method: String, Sendable, Hashable {
        /// Without a body.
        case get = "GET"
        /// With an empty JSON object, or `body`.
        case post = "POST"
    }

    /// The full address.
    public var url: String
    /// How it is asked.
    public var method: Method = .get
    /// Fields that are sent each time; those with credentials are made secret.
    public var fields: [HTTPField] = []
    /// A file with more fields, `Name: value` on each line, 0600, read each time; all of them are secret.
    public var fieldFile: String?
    /// Whether a field file that others can read is taken: for mounts that have no modes of their own.
    public var insecureFileModes = false
    /// What a `POST` carries.
    public var body = JSONObject()
    /// The answer's member with the access token.
    public var tokenField = "accessToken"
    /// The answer's member with its lifetime in seconds.
    public var lifetimeField = "expiresIn"
    /// The answer's member with its end in seconds since 1970.
    public var endField = "expiresAt"
    /// The answer's member with an error, which makes a failure of a success.
    public var errorField = "error"
    /// When tokens are renewed.
    public var refresh = RefreshPolicy.niantic
    /// How long one request may take.
    public var requestLimit: Duration = .seconds(30)
    /// Whom to trust and who to be.
    public var tls = TLSOptions()

    /// Makes a configuration of the default shape.
    public init(url: String) {
        self.url = url
    }
}
