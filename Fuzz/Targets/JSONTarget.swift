import AuthKitCore

/// Gives each input to our JSON reader and to the slow reference, which must agree.
@_cdecl("LLVMFuzzerTestOneInput")
func readJSON(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    if let disagreement = JSONDisagreement.find(in: input) { fatalError(disagreement) }
    return 0
}
