import Foundation
import ProviderModel
import ProviderRuntime
import WorkerProtocol

/// Compares reading a response by a script in a worker with `JSONDecoder`, from its bytes to checked items.
struct WorkerBenchmark {
    let settings: WorkerSettings
    let source: ScriptSource
    let rounds: Int

    /// Prints the table.
    func run() async throws {
        let start = try await Measurement.median(of: 20) {
            let pool = WorkerPool(settings: settings)
            _ = try await pool.load(source, as: "pixabay")
            await pool.close()
        }
        print("start, load and end \(milliseconds(start))")
        let pool = WorkerPool(settings: settings)
        let manifest = try await pool.load(source, as: "pixabay")
        print("hits     JSONDecoder       script     script / JSONDecoder")
        for count in [20, 200] {
            let (decoder, script) = try await compare(hits: count, pool, manifest)
            print(
                String(format: "%4d", count), milliseconds(decoder), milliseconds(script),
                String(format: "%8.2f", script / decoder))
        }
        await pool.close()
    }

    private func compare(hits count: Int, _ pool: WorkerPool, _ manifest: ProviderManifest) async throws -> (
        Duration, Duration
    ) {
        let body = PixabayBody(hits: count)
        let response = ProviderResponse(
            status: 200, url: try WebURL("https://pixabay.com/api/"),
            headers: [NamedValue("Content-Type", "application/json")],
            body: Array(body.json))
        return try await Measurement.medians(of: rounds) {
            let start = ContinuousClock.now
            let page = try JSONDecoder().decode(PixabayPage.self, from: body.json)
            precondition(page.hits.count == count)
            return start
        } _: {
            var start = ContinuousClock.now
            let result = try await pool.run(
                EncodedCall(.search(ProviderQuery(text: "x"))), of: source, as: "pixabay", manifest: manifest
            ) { _ in
                // Both are given the bytes: a compiled client would have to put its request together too.
                start = .now
                return [response]
            }
            guard case .page(let page) = result.result, page.items.count == count else {
                preconditionFailure("not \(count) items")
            }
            return start
        }
    }

    private func milliseconds(_ duration: Duration) -> String {
        String(format: "%9.3f ms", duration / .milliseconds(1))
    }
}
