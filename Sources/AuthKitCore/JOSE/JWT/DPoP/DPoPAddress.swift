/// An address as DPoP compares it: without query and fragment, normalised (RFC 9449 §4.3, RFC 3986 §6.2.2, §6.2.3).
struct DPoPAddress: Sendable, Hashable {
    private let origin: String
    private let path: [UInt8]

    /// Takes the address of a request.
    init(_ url: WebURL) {
        origin = url.origin
        path = Self.normalised(Array(url.path.utf8))
    }

    /// Reads an `htu`; nil when it is not an `http` or `https` URL.
    init?(claim text: String) {
        // RFC 9449 §4.2: htu has no fragment; §4.3: one that is there is ignored.
        guard let url = WebURL(String(text.prefix { $0 != "#" })) else { return nil }
        self.init(url)
    }

    /// RFC 3986 §6.2.2.1 to §6.2.2.3: escapes in upper case and only where needed, no dot segments; §6.2.3: `/` for none.
    private static func normalised(_ path: [UInt8]) -> [UInt8] {
        let slash = UInt8(ascii: "/")
        var kept: [ArraySlice<UInt8>] = []
        let segments = unescaped(path).split(separator: slash, omittingEmptySubsequences: false).dropFirst()
        for (index, segment) in zip(segments.indices, segments) {
            let isLast = index == segments.endIndex - 1
            switch Array(segment) {
            case [UInt8(ascii: ".")]:
                if isLast { kept.append([]) }
            case [UInt8(ascii: "."), UInt8(ascii: ".")]:
                _ = kept.popLast()
                if isLast { kept.append([]) }
            default: kept.append(segment)
            }
        }
        return kept.isEmpty ? [slash] : kept.flatMap { [slash] + $0 }
    }

    private static func unescaped(_ path: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var rest = path[...]
        while let byte = rest.popFirst() {
            // WebURL lets whole escapes through only.
            guard byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            else {
                result.append(byte)
                continue
            }
            rest = rest.dropFirst(2)
            result += isUnreserved(value) ? [value] : PercentEncoding.escape(value)
        }
        return result
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
