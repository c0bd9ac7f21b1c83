import AuthKitCore
package import LoopbackHTTP

/// An OpenID Connect issuer for development and tests: requests in, answers out, no sockets.
///
/// Beside it stands what an NSDK app needs: the identity endpoint, its sign-in page, and an app's own back end.
/// It keeps everything in memory, bounded, and asks nobody for a password. It is never to be reachable by others.
public final class DevIssuer: Sendable {
    /// The issuer identifier, which all endpoints begin with.
    public let url: String
    /// What it was made with.
    public let options: DevIssuerOptions
    private let state: Guarded<IssuerState>

    /// Makes an issuer with new keys.
    ///
    /// The origin is scheme, host and port. Throws `bad_options` or `cryptography`.
    public init(origin: String, options: DevIssuerOptions) throws(DevServerError) {
        try options.check()
        url = origin + options.path
        self.options = options
        state = Guarded(IssuerState(keys: try KeyRing(options.keyAlgorithms), faults: FaultScript(options.faults)))
    }

    /// What happened so far.
    public var statistics: DevStatistics {
        locked { state in
            var statistics = state.statistics
            statistics.activeFamilies = state.families.values.count { !$0.hasEnded }
            statistics.niantic = state.niantic.statistics
            statistics.niantic.activeFamilies = state.niantic.families.values.count { !$0.hasEnded }
            return statistics
        }
    }

    /// The misbehaviour that is still to come.
    public var faults: [Fault] {
        get { locked { $0.faults.pending } }
        set { locked { $0.faults = FaultScript(newValue) } }
    }

    /// Signs with new keys from now on; the old ones stay published unless they are dropped.
    ///
    /// Throws `cryptography`.
    public func rotateKeys(droppingOld: Bool = false) throws(DevServerError) {
        let fresh = try KeyRing(options.keyAlgorithms)
        let keepsOld = options.publishesRetiredKeys && !droppingOld
        locked { state in
            state.keys.rotate(to: fresh, keepingOld: keepsOld)
            state.statistics.keyRotations += 1
        }
    }

    /// Answers one request.
    package func answer(_ request: ServerRequest) -> IssuerAnswer {
        guard let endpoint = endpoint(of: request.path) else { return IssuerAnswer(Page.notFound(index: path(.index))) }
        locked { $0.statistics.requests[endpoint.name, default: 0] += 1 }
        guard endpoint.methods.contains(request.method) else {
            var refusal = ServerResponse.text("Use \(endpoint.methods.joined(separator: " or ")) here.\n", status: 405)
            refusal.fields.append(HTTPField("Allow", endpoint.methods.joined(separator: ", ")))
            return IssuerAnswer(refusal)
        }
        return answer(request, at: endpoint)
    }

    private func answer(_ request: ServerRequest, at endpoint: Endpoint) -> IssuerAnswer {
        switch endpoint {
        case .discovery: misbehaving(at: .discovery) { metadata($0) }
        case .jwks: misbehaving(at: .jwks) { _ in keySet() }
        case .authorize: misbehaving(at: .authorize) { authorize(request, fault: $0) }
        case .decision: IssuerAnswer(decide(request))
        case .token: token(request)
        case .userinfo: misbehaving(at: .userinfo) { userinfo(request, fault: $0) }
        case .introspect: misbehaving(at: .introspect) { _ in introspect(request) }
        case .revoke: misbehaving(at: .revoke) { _ in revoke(request) }
        case .endSession: misbehaving(at: .endSession) { _ in endSession(request) }
        case .identity: identity(request)
        case .nianticSignIn: misbehaving(at: .nianticSignIn) { nianticSignIn(request, fault: $0) }
        case .nianticDecision: IssuerAnswer(decideSignIn(request))
        case .nianticSignOut: misbehaving(at: .nianticSignOut) { _ in nianticSignOut(request) }
        case .backend: backend(request)
        case .index: IssuerAnswer(index())
        case .statistics: IssuerAnswer(.json(statistics.json))
        case .faults: IssuerAnswer(changeFaults(request))
        case .rotateKeys: IssuerAnswer(rotateKeys(request))
        }
    }

    /// Reads or changes what the issuer remembers, whole steps at a time.
    func locked<Result: Sendable, Failure: Error>(
        _ body: (inout IssuerState) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try state.withLock { (state) throws(Failure) in try body(&state) }
    }

    /// The address of an endpoint.
    func url(_ endpoint: Endpoint) -> String { url + endpoint.rawValue }

    /// The path of an endpoint on this server.
    func path(_ endpoint: Endpoint) -> String { options.path + endpoint.rawValue }

    private func endpoint(of path: String) -> Endpoint? {
        if path == Endpoint.serverMetadata + options.path { return .discovery }
        if path == options.path + "/" || path == "/" { return .index }
        guard path.hasPrefix(options.path) else { return nil }
        return Endpoint(rawValue: String(path.dropFirst(options.path.count)))
    }
}
