import AuthKitCore
import CMicroHTTPD

/// What the daemons call: turns C arguments into values and hands them to the core.
enum ServerCallbacks {
    /// Starts a daemon that calls a core.
    ///
    /// The core must live until the daemon has stopped: the task that stops it holds it.
    static func start(_ core: ServerCore, socket: ListeningSocket) -> MicroDaemon? {
        let context = unsafe Unmanaged.passUnretained(core).toOpaque()
        let callbacks = unsafe ak_mhd_callbacks(
            context: context,
            handle: { context, connection, _, method, _, data, size, slot in
                guard let context = unsafe context, let connection = unsafe connection, let method = unsafe method,
                    let size = unsafe size, let exchange = unsafe slot?.pointee
                else { return MHD_Result.NO }
                let part = unsafe UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : size.pointee)
                let isTaken = unsafe ServerCallbacks.handle(
                    Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue(),
                    Unmanaged<Exchange>.fromOpaque(exchange).takeUnretainedValue(),
                    MicroConnection(connection),
                    method: String(cString: method),
                    part: Array(part)
                )
                unsafe size.pointee = 0
                return isTaken ? MHD_Result.YES : MHD_Result.NO
            },
            begin: { context, target, connection in
                guard let context = unsafe context, let connection = unsafe connection else { return nil }
                let core = unsafe Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
                let exchange = unsafe Exchange(
                    target: target.flatMap { unsafe String(validatingCString: $0) } ?? "",
                    socket: core.library.socket(of: MicroConnection(connection)),
                    limits: core.limits
                )
                // Released when the daemon says that the request is over, which it does for each that has begun.
                return unsafe Unmanaged.passRetained(exchange).toOpaque()
            },
            completed: { context, _, slot, _ in
                guard let context = unsafe context, let exchange = unsafe slot?.pointee else { return }
                unsafe slot?.pointee = nil
                unsafe Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
                    .finished(Unmanaged<Exchange>.fromOpaque(exchange).takeRetainedValue())
            },
            connection: { context, connection, _, event in
                guard let context = unsafe context, let connection = unsafe connection else { return }
                let core = unsafe Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
                let socket = core.library.socket(of: unsafe MicroConnection(connection))
                if event == MHD_ConnectionNotificationCode.CONNECTION_NOTIFY_STARTED {
                    core.opened(socket)
                } else {
                    core.closed(socket)
                }
            }
        )
        return unsafe core.library.start(callbacks, socket: socket.descriptor, limits: core.limits)
    }

    private static func handle(
        _ core: ServerCore,
        _ exchange: Exchange,
        _ connection: MicroConnection,
        method: String,
        part: [UInt8]
    ) -> Bool {
        let step: Exchange.Step
        if exchange.needsHead {
            guard let fields = fields(of: connection, core.library) else { return false }
            step = exchange.begin(method: method, fields: fields)
        } else {
            step = exchange.receive(part)
        }
        switch step {
        case .readOn, .stay: return true
        case .close: return false
        case .answer(let response): return queue(response, on: connection, core.library)
        case .run(let request):
            if core.run(request, for: exchange, on: connection) { return true }
            return queue(.text("The server is closing.\n", status: 503), on: connection, core.library)
        }
    }

    private static func queue(_ response: ServerResponse, on connection: MicroConnection, _ library: MicroHTTPD) -> Bool
    {
        // An answer that cannot be written as HTTP is a mistake of the handler.
        library.queue(response, on: connection)
            || library.queue(.text("The answer is not valid.\n", status: 500), on: connection)
    }

    private final class FieldList {
        var fields: [HTTPField] = []
    }

    private static func fields(of connection: MicroConnection, _ library: MicroHTTPD) -> [HTTPField]? {
        let list = FieldList()
        let isRead = unsafe library.eachField(
            connection,
            { context, _, name, nameCount, value, valueCount in
                guard let context = unsafe context, let name = unsafe name else { return MHD_Result.NO }
                let list = unsafe Unmanaged<FieldList>.fromOpaque(context).takeUnretainedValue()
                let nameBytes = unsafe UnsafeRawBufferPointer(start: name, count: nameCount)
                let valueBytes = unsafe UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueCount)
                let field = unsafe HTTPField(
                    String(decoding: nameBytes, as: UTF8.self),
                    String(decoding: valueBytes, as: UTF8.self)
                )
                list.fields.append(field)
                return MHD_Result.YES
            },
            Unmanaged.passUnretained(list).toOpaque()
        )
        return withExtendedLifetime(list) { isRead ? list.fields : nil }
    }
}
