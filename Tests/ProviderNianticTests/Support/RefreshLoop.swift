import AuthKitCore
import AuthKitTesting
import ProviderNiantic

/// The loop of an app that somebody has signed in to, on a clock that stands while a renewal is under way.
struct RefreshLoop: Sendable {
    let app: SampleApp
    let scheduler: RefreshScheduler
    let access: NSDKAccess
    let sink: TokenSink
    /// What the scheduler tells.
    let events: AsyncStream<RefreshEvent>
    private let subscription: AccessSubscription
    private let began: Moment

    /// Signs in and starts; the requests of that are forgotten.
    init(_ app: SampleApp) async throws {
        let session = try await app.session()
        _ = try await session.signIn(through: app.person())
        let scheduler = RefreshScheduler(backoff: .niantic, time: app.time, generator: SeededGenerator(3))
        let access = NSDKAccess(session, scheduler: scheduler, time: app.time)
        let sink = TokenSink()
        self.app = app
        self.scheduler = scheduler
        self.access = access
        self.sink = sink
        events = scheduler.events
        subscription = await access.subscribe(sink)
        began = app.time.now
        await access.start()
        app.service.forgetRequests()
    }

    /// How long it has run; the first access token came at zero.
    var age: Duration { app.time.now.since(began) }

    /// Moves the clock from one waking of the scheduler to the next, until it stands as asked; for two hours at most.
    func move(until isDone: (RefreshStatus) -> Bool) async {
        while true {
            let status = await scheduler.status
            if status.renewing == 0 {
                if isDone(status) || age > .seconds(7200) { return }
                // Not before it sleeps: what begins to sleep later would wake later.
                if let wake = status.wakesIn, app.time.remainingSleeps.contains(wake) { app.time.advance(by: wake) }
            }
            await Task.yield()
        }
    }

    func end() async {
        await access.stop()
        await subscription.cancel()
    }
}
