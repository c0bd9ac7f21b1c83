/// What one request to a resource came to: its value, or the resource's demand for another authorization.
public enum Attempt<Value> {
    /// The request went through, whatever its answer says.
    case value(Value)
    /// The resource did not take the authorization.
    case challenged(AuthorizationChallenge)
}

extension Attempt: Sendable where Value: Sendable {}
