import AuthKitCore

/// Gives each input to decryption: as a token, as the header of one, and sealed into one that must be readable.
@_cdecl("LLVMFuzzerTestOneInput")
func decryptToken(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    let judge = DecryptionJudge.shared
    switch input.first {
    // A header, before parts of the right lengths that nobody encrypted.
    case UInt8(ascii: "{"): judge.judge(header: input)
    // Behind a dot a line with a header, then what is encrypted under it.
    case UInt8(ascii: "."):
        let parts = input.dropFirst().split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
        judge.judge(sealedHeader: Array(parts[0]), plaintext: parts.count > 1 ? Array(parts[1]) : [])
    default: judge.judge(String(decoding: input, as: UTF8.self))
    }
    return 0
}
