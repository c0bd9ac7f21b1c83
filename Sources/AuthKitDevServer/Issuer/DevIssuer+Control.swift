import AuthKitCore
import LoopbackHTTP

extension DevIssuer {
    /// Lists, adds or clears faults.
    func changeFaults(_ request: ServerRequest) -> ServerResponse {
        switch request.method {
        case "DELETE": locked { $0.faults = FaultScript() }
        case "POST":
            // A page of a stranger can post a form, but not JSON (Fetch §2.2.2).
            guard request.fields.first(named: "Content-Type")?.lowercased().hasPrefix("application/json") == true else {
                return .text("Send a JSON list of faults as application/json.\n", status: 415)
            }
            do {
                let faults = try Fault.list(parsing: request.body)
                let fits = locked { state in
                    guard state.faults.pending.count + faults.count <= FaultScript.limit else { return false }
                    state.faults.append(faults)
                    return true
                }
                guard fits else { return .text("There are too many faults; clear them with DELETE.\n", status: 409) }
            } catch {
                return .text(error.description + "\n", status: 400)
            }
        default: break
        }
        return Self.uncached(["faults": .strings(faults.map(\.description))])
    }

    /// Rotates the keys; `drop=true` takes the old ones out of the key set at once.
    func rotateKeys(_ request: ServerRequest) -> ServerResponse {
        let drops = request.query.contains { $0.name == "drop" && $0.value == "true" }
        do {
            try rotateKeys(droppingOld: drops)
        } catch {
            return .text(error.description + "\n", status: 500)
        }
        let keys = locked { $0.keys.published }
        return Self.uncached(["keys": .strings(keys.map(\.id))])
    }

    /// What a person sees who opens the issuer in a browser.
    func index() -> ServerResponse {
        let statistics = statistics
        return Page.index(
            issuer: url,
            endpoints: Endpoint.allCases.map { ($0.methods.joined(separator: " "), url($0)) },
            clients: options.clients.map { ($0.id, $0.secret == nil ? "public" : "confidential") },
            users: options.users.map { "\($0.name) (\($0.email))" },
            faults: faults.map(\.description),
            activity: [
                ("refreshes granted", statistics.refreshesGranted),
                ("reuse detected", statistics.reuseDetections),
                ("families killed", statistics.familiesKilled),
                ("active families", statistics.activeFamilies),
                ("NSDK sign-ins", statistics.niantic.signIns),
                ("NSDK access tokens", statistics.niantic.accessTokensMade),
                ("NSDK reuse detected", statistics.niantic.reuseDetections),
            ]
        )
    }
}

extension DevStatistics {
    /// The statistics as JSON.
    public var json: [UInt8] {
        let counts = { (counts: [String: Int]) -> JSONValue in
            .object(JSONObject.make(counts.sorted { $0.key < $1.key }.map { ($0.key, .integer($0.value)) }))
        }
        return JSONObject.make([
            ("requests", counts(requests)),
            ("codes_issued", .integer(codesIssued)),
            ("codes_redeemed", .integer(codesRedeemed)),
            ("code_replays", .integer(codeReplays)),
            ("refreshes_granted", .integer(refreshesGranted)),
            ("grace_repeats", .integer(graceRepeats)),
            ("reuse_detections", .integer(reuseDetections)),
            ("families_killed", .integer(familiesKilled)),
            ("active_families", .integer(activeFamilies)),
            ("key_rotations", .integer(keyRotations)),
            ("faults", counts(faults)),
            (
                "refreshes",
                .array(
                    refreshes.map { .string("\($0.at) \($0.fingerprint.isEmpty ? "-" : $0.fingerprint) \($0.outcome)") }
                )
            ),
            ("niantic", .object(niantic.json)),
        ]).bytes
    }
}
