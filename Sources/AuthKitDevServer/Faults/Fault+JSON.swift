import AuthKitCore

extension Fault {
    /// Reads a JSON list of faults: texts such as `"token:503*2"`, or objects such as
    /// `{"point":"refresh","kind":"429;retry-after=3","count":2}`, where the count may be `"*"`.
    ///
    /// Throws `bad_fault`.
    public static func list(parsing bytes: [UInt8]) throws(DevServerError) -> [Fault] {
        let value: JSONValue
        do {
            value = try JSONValue(parsing: bytes)
        } catch {
            throw DevServerError(.badFault, error.description)
        }
        return try list(value)
    }

    /// Reads a list that is JSON already.
    static func list(_ value: JSONValue) throws(DevServerError) -> [Fault] {
        guard case .array(let elements) = value, elements.count <= FaultScript.limit else {
            throw DevServerError(.badFault, "Write faults as a JSON list of at most \(FaultScript.limit).")
        }
        var faults: [Fault] = []
        for element in elements {
            switch element {
            case .string(let text): faults.append(try Fault(parsing: text))
            case .object(let object): faults.append(try Fault(object))
            default: throw DevServerError(.badFault, "Write each fault as a string or an object.")
            }
        }
        return faults
    }

    private init(_ object: JSONObject) throws(DevServerError) {
        guard case .string(let point) = object["point"], case .string(let kind) = object["kind"],
            Set(object.names).isSubset(of: ["point", "kind", "count"]), !kind.contains("*")
        else {
            throw DevServerError(.badFault, "Write a fault object with point, kind and, where it is not 1, count.")
        }
        switch object["count"] {
        case nil: try self.init(parsing: "\(point):\(kind)")
        case .number(let count): try self.init(parsing: "\(point):\(kind)*\(count.literal)")
        case .string("*"): try self.init(parsing: "\(point):\(kind)*")
        default: throw DevServerError(.badFault, "Write a fault's count as a number or \"*\".")
        }
    }
}
