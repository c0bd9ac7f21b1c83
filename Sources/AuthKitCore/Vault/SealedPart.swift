/// Which part of a record a sealed blob is: each has keys of its own, so that listing opens no token.
enum SealedPart: UInt8, Sendable {
    /// What `list` shows.
    case metadata = 1
    /// The tokens.
    case payload = 2
}
