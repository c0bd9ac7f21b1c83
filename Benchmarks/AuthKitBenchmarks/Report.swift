import AuthKitCore

/// Prints measurements: a table for people, or JSON for comparing.
struct Report: Sendable {
    let measurements: [Measurement]

    /// One line a case.
    var table: String {
        let width = measurements.map(\.name.count).max() ?? 0
        let lines = measurements.map { measurement in
            let padding = String(repeating: " ", count: width - measurement.name.count)
            let median = Self.nanoseconds(measurement.median)
            return
                "\(measurement.name)\(padding)  \(median) ns (p90 \(Self.nanoseconds(measurement.p90)))  \(measurement.note)"
        }
        return lines.joined(separator: "\n")
    }

    /// The array that the design names.
    var json: String {
        let list = measurements.map { measurement in
            JSONValue.object([
                "name": .string(measurement.name), "median_ns": .integer(Self.nanoseconds(measurement.median)),
                "p90_ns": .integer(Self.nanoseconds(measurement.p90)), "iterations": .integer(measurement.iterations),
                "note": .string(measurement.note),
            ])
        }
        return String(decoding: JSONValue.array(list).serialized(pretty: true), as: UTF8.self)
    }

    private static func nanoseconds(_ duration: Duration) -> Int64 {
        duration.components.seconds * 1_000_000_000 + duration.components.attoseconds / 1_000_000_000
    }
}
