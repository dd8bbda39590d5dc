import Glibc
import HTTPTransport
import ProviderModel
import RateLimits

// Sends requests nowhere, within a rate that other processes share, and appends the time of each to a file:
// rate-probe DATABASE RATE REQUESTS FILE

/// Notes when a request came by.
struct RecordingTransport: Transport {
    let file: Int32

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        // One call, so that lines of other processes do not come between.
        let line = Array("\(wallTime().milliseconds)\n".utf8)
        guard write(file, line, line.count) == line.count else { exit(3) }
        return TransportResponse(status: 200, url: request.url)
    }
}

@Sendable func wallTime() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
}

let arguments = CommandLine.arguments
guard arguments.count == 5, let rate = Limits.Rate(arguments[2]), let count = Int(arguments[3]),
    let provider = ProviderID("tested")
else { exit(64) }
let file = open(arguments[4], O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
var request = TransportRequest(
    url: try WebURL("https://images.example/"),
    scope: RequestScope(provider: provider, hosts: [])
)
var limits = Limits()
limits.rates = [rate]
let transport = RateLimitedTransport(
    over: RecordingTransport(file: file),
    // A process that goes its own way would break the rate: better no request at all.
    store: SQLiteRateLimitStore(path: arguments[1], busyTimeout: .seconds(20), now: wallTime) { _ in exit(2) },
    clock: ContinuousClock()
)
request.limits = limits
try await withThrowingTaskGroup { [request] group in
    for _ in 0..<count {
        group.addTask { _ = try await transport.send(request) }
    }
    try await group.waitForAll()
}
