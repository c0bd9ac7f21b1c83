public import AuthKitCore

/// Something that is given each new NSDK access token, such as an NSDK session.
public protocol AccessTokenConsumer: Sendable {
    /// Takes the token to use from now on; an empty one means that there is none any more.
    ///
    /// Called one at a time and in order. The token is a JWT, ready to be sent. Must return soon: what takes long, or
    /// belongs to another actor, is to be handed on.
    func setAccessToken(_ token: Secret)
}
