/// How far a request came: what decides whether a one-time token may have been spent.
public enum Delivery: Sendable, Hashable {
    /// Nothing was sent: no connection, or it broke before the request.
    case notSent
    /// The other side answered so that what it did is known: a definite error.
    case answered
    /// The other side answered, but not what became of what it was sent: a 5xx, a gateway's page.
    case answeredUnclear
    /// It was sent, wholly or in part, and no usable answer came: none, a broken one, or success that cannot be read.
    case sentNoAnswer
}
