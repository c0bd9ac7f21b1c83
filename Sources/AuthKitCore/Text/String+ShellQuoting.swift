extension String {
    /// The text as one word of a POSIX shell's command line, quoted only where that is needed.
    ///
    /// A leading hyphen is left to the caller's `--`: quoting does not keep it from being read as an option.
    package var shellQuoted: String {
        let isPlain = utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "/._-+@:,%".utf8.contains(byte)
            }
        }
        guard !isPlain || isEmpty else { return self }
        return "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
