/// A step in the path of a decoding error that no key type of the caller's stands for.
struct JSONPathKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    /// The name that `superDecoder()` looks for.
    static let superKey = JSONPathKey(stringValue: "super")

    init(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init(intValue: Int) {
        stringValue = "Index \(intValue)"
        self.intValue = intValue
    }
}
