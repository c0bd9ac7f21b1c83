import AuthKitCore

/// Collects measurements and shows them: a table for people, JSON for comparing.
struct Report: Sendable {
    private(set) var measurements: [Measurement] = []

    /// Takes one in.
    mutating func add(_ measurement: Measurement) {
        measurements.append(measurement)
    }

    /// One line a case.
    var table: String {
        let head = ["case", "median", "p90", "ratio", "to", "note"]
        let rows = measurements.map { measurement in
            [
                measurement.name, Self.time(measurement.median), Self.time(measurement.p90),
                measurement.baseline.map { Self.fixed($0.ratio, places: 3) } ?? "",
                measurement.baseline.map { "\($0.name), \(Self.time($0.median))" } ?? "", measurement.note,
            ]
        }
        let widths = head.indices.map { column in ([head] + rows).map { $0[column].count }.max() ?? 0 }
        let lines = ([head] + rows).map { row in
            let cells = row.indices.map { column in
                let padding = String(repeating: " ", count: widths[column] - row[column].count)
                // Numbers to the right, words to the left.
                return (1...3).contains(column) ? padding + row[column] : row[column] + padding
            }
            let line = cells.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
        return lines.joined(separator: "\n")
    }

    /// The array that the design names; what has no baseline has no fields of one.
    var json: String {
        let list = measurements.map { measurement in
            var object: JSONObject = [
                "name": .string(measurement.name), "median_ns": .integer(Int64(measurement.median.rounded())),
                "p90_ns": .integer(Int64(measurement.p90.rounded())), "iterations": .integer(measurement.iterations),
            ]
            if let baseline = measurement.baseline {
                object["baseline"] = .string(baseline.name)
                object["baseline_ns"] = .integer(Int64(baseline.median.rounded()))
                object["ratio"] = JSONValue(floatLiteral: (baseline.ratio * 1000).rounded() / 1000)
            }
            object["note"] = .string(measurement.note)
            return JSONValue.object(object)
        }
        return String(decoding: JSONValue.array(list).serialized(pretty: true), as: UTF8.self)
    }

    private static func time(_ nanoseconds: Double) -> String {
        switch nanoseconds {
        case ..<10_000: "\(Int64(nanoseconds.rounded())) ns"
        case ..<10_000_000: "\(fixed(nanoseconds / 1000, places: 1)) us"
        default: "\(fixed(nanoseconds / 1_000_000, places: 1)) ms"
        }
    }

    private static func fixed(_ value: Double, places: Int) -> String {
        var scale: Int64 = 1
        for _ in 0..<places { scale *= 10 }
        let scaled = Int64((value * Double(scale)).rounded())
        let digits = String(scaled % scale)
        return "\(scaled / scale).\(String(repeating: "0", count: places - digits.count))\(digits)"
    }
}
