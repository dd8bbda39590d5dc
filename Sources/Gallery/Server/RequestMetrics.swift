import Glibc
import Hummingbird
import Logging
import ProviderModel
import Synchronization

/// Counts what was answered, for `/api/v1/metrics`.
final class RequestMetrics: Sendable {
    private struct Key: Hashable {
        let path: String
        let method: String
        let status: Int
    }

    private struct State {
        var counts: [Key: Int] = [:]
        var seconds: [String: (sum: Double, count: Int)] = [:]
    }

    private let state = Mutex(State())

    /// Counts an answer; `path` is a route's, so that there are only so many.
    func add(path: String, method: String, status: Int, seconds: Double) {
        state.withLock { state in
            state.counts[Key(path: path, method: method, status: status), default: 0] += 1
            let known = state.seconds[path] ?? (0, 0)
            state.seconds[path] = (known.sum + seconds, known.count + 1)
        }
    }

    /// Writes everything in the text format of Prometheus, version 0.0.4.
    func text(searches: ConcurrencyLimit, requests: ConcurrencyLimit, downloads: Int) -> String {
        let (counts, seconds) = state.withLock { ($0.counts, $0.seconds) }
        var lines = ["# HELP imgscript_http_requests_total Answers by route, method and status."]
        lines.append("# TYPE imgscript_http_requests_total counter")
        lines += counts.map { key, count in
            "imgscript_http_requests_total{route=\"\(key.path)\",method=\"\(key.method)\",status=\"\(key.status)\"} \(count)"
        }.sorted()
        lines.append("# HELP imgscript_http_response_seconds Time until an answer's head, by route.")
        lines.append("# TYPE imgscript_http_response_seconds summary")
        for (path, value) in seconds.sorted(by: { $0.key < $1.key }) {
            lines.append("imgscript_http_response_seconds_sum{route=\"\(path)\"} \(value.sum)")
            lines.append("imgscript_http_response_seconds_count{route=\"\(path)\"} \(value.count)")
        }
        lines += Self.gauge("imgscript_searches", "Searches under way.", searches.count)
        lines += Self.gauge("imgscript_requests", "Requests under way.", requests.count)
        lines += Self.gauge("imgscript_downloads", "Downloads under way.", downloads)
        lines += [
            "# HELP imgscript_refused_total Requests refused because too many were under way.",
            "# TYPE imgscript_refused_total counter",
            "imgscript_refused_total{kind=\"searches\"} \(searches.refused)",
            "imgscript_refused_total{kind=\"requests\"} \(requests.refused)",
        ]
        lines += Self.gauge("process_resident_memory_bytes", "Resident memory.", Self.residentBytes)
        lines += Self.gauge("process_open_fds", "Open file descriptors.", Self.openDescriptors)
        return lines.joined(separator: "\n") + "\n"
    }

    private static func gauge(_ name: String, _ help: String, _ value: Int) -> [String] {
        ["# HELP \(name) \(help)", "# TYPE \(name) gauge", "\(name) \(value)"]
    }

    private static var residentBytes: Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, Int32(line.count), file) != nil else { return 0 }
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let fields = text.split(separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(getpagesize()) : 0
    }

    private static var openDescriptors: Int {
        guard let directory = opendir("/proc/self/fd") else { return 0 }
        defer { closedir(directory) }
        var count = 0
        while readdir(directory) != nil { count += 1 }
        // The folder itself, `.` and `..`.
        return max(0, count - 3)
    }
}

/// Counts and logs each answer, those to whoever is refused as well.
struct MetricsMiddleware: RouterMiddleware {
    let metrics: RequestMetrics
    let logger: Logger

    func handle(
        _ request: Request, context: GalleryContext, next: (Request, GalleryContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        let response = try await next(request, context)
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        // A route's pattern: addresses may hold private values.
        let path = context.endpointPath ?? "none"
        metrics.add(path: path, method: request.method.known, status: response.status.code, seconds: seconds)
        logger.info(
            "answered",
            metadata: [
                "method": .string(request.method.known), "path": .string(path),
                "status": .stringConvertible(response.status.code),
                "milliseconds": .stringConvertible(Int(seconds * 1_000)),
            ])
        return response
    }
}

/// Holds the number of requests under way, and turns what went wrong into answers.
struct RequestMiddleware: RouterMiddleware {
    let requests: ConcurrencyLimit
    let logger: Logger

    func handle(
        _ request: Request, context: GalleryContext, next: (Request, GalleryContext) async throws -> Response
    ) async throws -> Response {
        do {
            let permit = try requests.acquire("requests")
            defer { permit.release() }
            return try await next(request, context)
        } catch {
            return try answer(to: error, request, context)
        }
    }

    private func answer(to error: any Error, _ request: Request, _ context: GalleryContext) throws -> Response {
        switch error {
        case let error as HTTPError where error.status == .notFound:
            return try APIError.notFound("there is nothing at this address").response(from: request, context: context)
        case let error as any HTTPResponseError: return try error.response(from: request, context: context)
        case is CancellationError:
            // A client that has gone cancels what was done for it; it never reads this, and the server did not fail.
            return Response(status: .init(code: 499, reasonPhrase: "Client Closed Request"))
        default:
            logger.error("failed", metadata: ["error": "\(error)"])
            return try APIError(error).response(from: request, context: context)
        }
    }
}

extension HTTPRequest.Method {
    /// The name of a method that HTTP has; what clients make up is one name, so that metrics have only so many.
    fileprivate var known: String {
        ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"].contains(rawValue)
            ? rawValue : "other"
    }
}
