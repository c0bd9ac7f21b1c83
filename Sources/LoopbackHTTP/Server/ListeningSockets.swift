#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The sockets of one server: one for each address, all on one port.
struct ListeningSockets: Sendable {
    let sockets: [ListeningSocket]
    let port: UInt16

    private static let attempts = 16

    /// Listens on every address of the families; a port that others have on one of them is refused as a whole.
    static func listen(port: UInt16, families: LoopbackFamilies) throws(LoopbackError) -> ListeningSockets {
        var port = port
        let isFree = port == 0
        for attempt in 1...attempts {
            do {
                return try listenOnce(port: port, families: families)
            } catch .busy where isFree && attempt < attempts {
                // The port that was free on one address is taken on the other: draw again.
                port = 0
            } catch {
                throw described(error, port: port, families: families)
            }
        }
        throw described(.busy, port: port, families: families)
    }

    private static func listenOnce(
        port: UInt16,
        families: LoopbackFamilies
    ) throws(ListeningSocket.Failure)
        -> ListeningSockets
    {
        let first = try ListeningSocket.listen(v6: families == .v6, port: port)
        guard families == .both else { return ListeningSockets(sockets: [first], port: first.port) }
        do {
            let second = try ListeningSocket.listen(v6: true, port: first.port)
            return ListeningSockets(sockets: [first, second], port: first.port)
        } catch .noAddress {
            return ListeningSockets(sockets: [first], port: first.port)
        }
    }

    private static func described(
        _ failure: ListeningSocket.Failure,
        port: UInt16,
        families: LoopbackFamilies
    )
        -> LoopbackError
    {
        let address =
            switch families {
            case .v4: "127.0.0.1"
            case .v6: "[::1]"
            case .both: "localhost"
            }
        let place = port == 0 ? "\(address) (any free port)" : "\(address):\(port)"
        return switch failure {
        case .busy:
            LoopbackError(.portBusy, "Another program listens on \(place): end it or choose another port.")
        case .noAddress:
            LoopbackError(.cannotListen, "This machine has no address \(address): choose 127.0.0.1.")
        case .other(let number) where number == EACCES || number == EPERM:
            LoopbackError(.cannotListen, "Listening on \(place) is not permitted: choose a port above 1023.")
        case .other(let number):
            LoopbackError(
                .cannotListen,
                "Listening on \(place) failed with error number \(number): choose another port."
            )
        }
    }
}
