import AuthKitCore

/// Gives each input to the whole verifier, as it is and put into a signed token.
@_cdecl("LLVMFuzzerTestOneInput")
func verifyToken(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    let judge = TokenJudge.shared
    judge.judge(String(decoding: input, as: UTF8.self))
    switch input.first {
    // Claims to be signed.
    case UInt8(ascii: "{"): judge.judge(signedHeader: Array(#"{"alg":"HS256"}"#.utf8), payload: input)
    // Behind a dot a line with a header, then the claims; both to be signed.
    case UInt8(ascii: "."):
        let parts = input.dropFirst().split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
        judge.judge(signedHeader: Array(parts[0]), payload: parts.count > 1 ? Array(parts[1]) : [])
    default: break
    }
    return 0
}
