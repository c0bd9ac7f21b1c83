/// Lists of numbers, added to one by one and emptied at once, whose storage is shared: chunks of one array.
///
/// A number costs four bytes and a fifteenth of a link; adding one moves nothing.
struct NumberLists: Sendable {
    /// One cache line: a link to the next chunk, and numbers.
    private static let chunkWords = 16
    private static let none = UInt32.max

    /// First for each list where its next number goes, then for each the chunk that is being filled, then the chunks.
    ///
    /// All in one array, so that adding a number asks once whether it may be written to. A place that is a multiple of a
    /// chunk means that a chunk is needed.
    private var words: ContiguousArray<UInt32>
    private let listCount: Int
    private var firstFree = none
    /// How many numbers all lists hold.
    private(set) var count = 0

    /// Makes so many empty lists.
    init(count: Int) {
        listCount = count
        words = ContiguousArray(repeating: 0, count: count) + ContiguousArray(repeating: Self.none, count: count)
        let rest = words.count % Self.chunkWords
        if rest > 0 { words.append(contentsOf: repeatElement(0, count: Self.chunkWords - rest)) }
    }

    /// The bytes taken in memory.
    var byteCount: Int { words.capacity * MemoryLayout<UInt32>.stride }

    func isEmpty(_ list: Int) -> Bool { words[listCount + list] == Self.none }

    /// Adds a number to a list.
    @inline(__always)
    mutating func append(_ number: UInt32, to list: Int) {
        if words[list].isMultiple(of: UInt32(Self.chunkWords)) { startChunk(list) }
        var words = words.mutableSpan
        let end = words[list]
        words[Int(end)] = number
        words[list] = end + 1
        count += 1
    }

    /// What is left of a list that is being emptied.
    struct Rest {
        fileprivate var chunk: UInt32
        fileprivate var end: Int
    }

    /// Empties a list, of which `next` hands out what it held.
    ///
    /// What is added meanwhile, to this list too, is not part of that.
    mutating func take(_ list: Int) -> Rest {
        defer { (words[listCount + list], words[list]) = (Self.none, 0) }
        return Rest(chunk: words[listCount + list], end: Int(words[list]))
    }

    /// Hands out the next number of a list that was taken, once for each time that it was added; nil after the last.
    mutating func next(_ rest: inout Rest) -> UInt32? {
        guard rest.chunk != Self.none else { return nil }
        rest.end -= 1
        let number = words[rest.end]
        count -= 1
        let start = Int(rest.chunk) * Self.chunkWords
        guard rest.end == start + 1 else { return number }
        let following = words[start]
        words[start] = firstFree
        firstFree = rest.chunk
        rest.chunk = following
        rest.end = (Int(following) + 1) * Self.chunkWords
        return number
    }

    /// Links a new chunk before those of a list.
    @inline(never)
    private mutating func startChunk(_ list: Int) {
        let chunk: UInt32
        if firstFree != Self.none {
            chunk = firstFree
            firstFree = words[Int(chunk) * Self.chunkWords]
        } else {
            chunk = UInt32(words.count / Self.chunkWords)
            precondition(chunk < Self.none / UInt32(Self.chunkWords), "lists hold four thousand million words")
            words.makeRoom(for: Self.chunkWords)
            words.append(contentsOf: repeatElement(0, count: Self.chunkWords))
        }
        words[Int(chunk) * Self.chunkWords] = words[listCount + list]
        words[listCount + list] = chunk
        words[list] = chunk * UInt32(Self.chunkWords) + 1
    }
}
