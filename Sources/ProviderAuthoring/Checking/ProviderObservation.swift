import HTTPTransport
import ProviderModel
import ProviderRuntime
import ProviderTesting
import Synchronization
import WorkerProtocol

/// What a script was seen to read and to ask for, while its operations ran over recorded answers.
///
/// A file of ours is loaded into the sandbox in place of the provider's; it requires the provider's and puts proxies
/// around what the functions get, which report each name that is read.
struct ProviderObservation: Sendable {
    /// Members of `q` that were read, by operation.
    private(set) var queryReads: [ProviderOperation: Set<String>] = [:]
    /// Parameters that were read, by operation.
    private(set) var parameterReads: [ProviderOperation: Set<String>] = [:]
    /// Operations whose `request` made one, or whose generator ran to its end.
    private(set) var ran: Set<ProviderOperation> = []
    /// Where requests went.
    private(set) var asked: [WebURL] = []
    /// What kept an operation from its first request, or is wrong with that.
    private(set) var faults: [ProviderOperation: ProviderError] = [:]

    /// The most calls of one operation: each parameter alone, and each of its choices.
    private static let mostCalls = 60

    /// Watches a provider that loads and keeps to the contract.
    init(of subject: ConformanceSubject) async {
        let reads = Reads()
        var settings = WorkerSettings(executable: subject.settings.workerPath)
        settings.deadline = subject.settings.deadline
        settings.log = { reads.add($0.text) }
        let pool = WorkerPool(settings: settings)
        // The subject has loaded the same file; should it be gone by now, nothing is observed.
        guard let source = try? Self.source(around: subject.provider.file) else {
            await pool.close()
            return
        }
        await noteFaults(of: subject, in: pool)
        for operation in [ProviderOperation.search, .feed, .collection, .similar] {
            guard let description = subject.manifest.description(of: operation) else { continue }
            for call in Self.calls(of: operation, subject) {
                let log = RequestLog()
                // A failure here is reported by the checks.
                let result = try? await pool.run(
                    EncodedCall(call), of: source, as: "observed", manifest: subject.manifest
                ) { requests in
                    try requests.map { try Self.answer($0, subject, log) }
                }
                asked += log.urls
                // What a generator reads after a request that no recorded answer stands for was not seen.
                if !log.urls.isEmpty, result != nil || !description.isGenerator { ran.insert(operation) }
            }
        }
        await pool.close()
        for operation in ProviderOperation.allCases {
            queryReads[operation] = reads.names(of: "query", in: operation)
            parameterReads[operation] = reads.names(of: "param", in: operation)
        }
    }

    /// Has the file itself, with nothing around it, make its first requests: no answer is needed for that.
    private mutating func noteFaults(of subject: ConformanceSubject, in pool: WorkerPool) async {
        // The subject has loaded the same file; should it be gone by now, nothing is observed.
        guard let source = try? subject.provider.file.source() else { return }
        for operation in [ProviderOperation.search, .feed] where subject.manifest.description(of: operation) != nil {
            guard let call = Self.calls(of: operation, subject).first else { continue }
            do {
                _ = try await pool.run(
                    EncodedCall(call), of: source, as: subject.manifest.id.description, manifest: subject.manifest
                ) { _ in throw ProbeEnd() }
            } catch let error as ProviderError where [.script, .result, .timeout, .memory].contains(error.code) {
                faults[operation] = error
            } catch {
                // The end of the probe; or a script's own word, as that it does not search for such a text.
            }
        }
    }

    // MARK: Calls

    /// The standard question, one with every parameter, and one for each parameter and choice alone.
    private static func calls(of operation: ProviderOperation, _ subject: ConformanceSubject) -> [OperationCall] {
        let recorded = subject.recorded.first { $0.call.operation == operation }?.call
        var standard =
            recorded?.query
            ?? subject.manifest.defaultQuery(for: operation, text: operation == .search ? "coffee" : "")
        standard.instance = subject.instance
        let parameters = subject.manifest.description(of: operation)?.parameters ?? []
        let all = parameters.compactMap { parameter in
            samples(of: parameter).first.map { ProviderQuery.Parameter(parameter.name, $0) }
        }
        var queries = [standard, standard.with(all)]
        for parameter in parameters {
            for value in samples(of: parameter) {
                queries.append(standard.with([ProviderQuery.Parameter(parameter.name, value)]))
            }
        }
        if operation == .search {
            queries.append(
                {
                    var query = standard; query.text = ""; return query
                }())
        }
        return queries.prefix(mostCalls).map { query in
            switch operation {
            case .search: return .search(query)
            case .feed: return .feed(query)
            case .similar:
                var query = query
                query.image = .sample
                return .similar(query)
            default:
                var item = Item(provider: subject.manifest.id, id: "1", type: .collection)
                if case .collection(let known, _)? = recorded?.action { item = known }
                return .collection(item, query)
            }
        }
    }

    private static func samples(of parameter: ParameterDescription) -> [ParameterValue] {
        let texts: [String]
        switch parameter.kind {
        case .choice: texts = parameter.values
        case .list: texts = parameter.values.isEmpty ? ["one,two"] : [parameter.values[0]]
        case .string: texts = ["sample"]
        case .boolean: texts = ["true", "false"]
        case .integer, .number: texts = [(parameter.minimum ?? parameter.maximum ?? 1).shortest]
        }
        // A sample that the parameter refuses is none.
        return texts.compactMap { text in try? parameter.value(from: text) }
    }

    private static func answer(_ request: ProviderRequest, _ subject: ConformanceSubject, _ log: RequestLog) throws
        -> ProviderResponse
    {
        log.add(request.url)
        let sent = try TransportRequest(
            request, of: subject.manifest, instance: subject.instance, image: .sample)
        guard let entry = subject.library.sample(for: sent) ?? subject.library.goodEntries.first else {
            throw ProbeEnd()
        }
        return ProviderResponse(
            status: entry.status, url: sent.url, headers: entry.headers.map { NamedValue($0.name.rawName, $0.value) },
            body: entry.content)
    }

    // MARK: The script around the script

    private static func source(around file: ProviderFile) throws -> ScriptSource {
        let source = try file.source()
        let name = source.file
        return ScriptSource(file: "[observed].js", text: wrapper.replacing("PROVIDER", with: "./\(file.id)")) {
            path throws(ModuleNotFound) in path == name ? source.text : try source.module(path)
        }
    }

    fileprivate static let mark = "imgscript observed"

    private static let wrapper = """
        const provider = require('PROVIDER');
        const seen = new Set();
        const report = (kind, operation, name) => {
          const line = `\(mark) ${kind} ${operation} ${name}`;
          if (seen.has(line)) return;
          seen.add(line);
          console.debug(line);
        };
        const watched = (kind, operation, target, inner) => new Proxy(target, {
          get(object, name) {
            if (typeof name === 'string' && name !== 'toJSON') report(kind, operation, name);
            const value = object[name];
            return name === inner && value ? watched('param', operation, value) : value;
          },
          has(object, name) {
            if (typeof name === 'string') report(kind, operation, name);
            return name in object;
          },
        });
        const observe = (operation, values) => values.map((value, index) => (
          index === values.length - 1 && value ? watched('query', operation, value, 'params') : value));
        const around = (operation, member) => {
          if (typeof member === 'function') {
            return function* (...values) { return yield* member.apply(provider, observe(operation, values)); };
          }
          if (member.run) {
            return { ...member, *run(...values) { return yield* member.run(...observe(operation, values)); } };
          }
          return {
            ...member,
            request: (...values) => member.request(...observe(operation, values)),
            parse: (...values) => member.parse(...observe(operation, values)),
          };
        };
        module.exports = { ...provider };
        for (const operation of ['search', 'feed', 'collection']) {
          if (provider[operation]) module.exports[operation] = around(operation, provider[operation]);
        }
        """
}

/// Names that were reported, from the worker's log.
private final class Reads: Sendable {
    private let lines = Mutex<Set<String>>([])

    func add(_ line: String) {
        if line.hasPrefix(ProviderObservation.mark) { lines.withLock { _ = $0.insert(line) } }
    }

    func names(of kind: String, in operation: ProviderOperation) -> Set<String> {
        let head = "\(ProviderObservation.mark) \(kind) \(operation) "
        return lines.withLock { lines in
            Set(lines.filter { $0.hasPrefix(head) }.map { String($0.dropFirst(head.count)) })
        }
    }
}

/// The URLs of one call's requests.
private final class RequestLog: Sendable {
    private let found = Mutex<[WebURL]>([])

    var urls: [WebURL] { found.withLock { $0 } }

    func add(_ url: WebURL) { found.withLock { $0.append(url) } }
}

extension ProviderQuery {
    fileprivate func with(_ parameters: [Parameter]) -> ProviderQuery {
        var query = self
        let names = Set(parameters.map(\.name))
        query.parameters = query.parameters.filter { !names.contains($0.name) } + parameters
        return query
    }
}
