internal import AuthKitCore

/// The keys of a store in order, read once for the pages of a list.
///
/// The directory's time of change says whether they still hold. It has the grain of the kernel's clock, so that keys
/// which were read within a moment of a change are not believed for the next page.
struct KeyListing {
    private var keys: [RecordKey] = []
    private var stamp: PrivateDirectory.Stamp?

    /// The keys behind one, ordered, as they are now.
    mutating func keys(behind start: RecordKey, in folder: RecordFolder) throws(StoreError) -> ArraySlice<RecordKey> {
        let now = try folder.directory.stamp()
        if stamp != now || now.isFresh {
            keys = try folder.keys().sorted()
            stamp = now
        }
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if start < keys[middle] { high = middle } else { low = middle + 1 }
        }
        return keys[low...]
    }
}
