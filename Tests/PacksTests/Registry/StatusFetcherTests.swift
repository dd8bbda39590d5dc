import Foundation
import HTTPTransport
import ProviderModel
import ProviderRuntime
import Synchronization
import Testing

@testable import Packs

@Suite("A status of others is taken with the signature of a known key only")
struct StatusFetcherTests {
    private static let url = "https://status.example/status.json"

    private func fetch(
        _ files: [String: String], keys: [PublicKey], after former: StatusReport? = nil
    ) async throws -> StatusReport {
        let network = PackNetwork(over: FileServer(files), allowedHosts: try AllowedHosts([]))
        return try await StatusFetcher(over: network).report(at: Self.url, signedBy: keys, after: former)
    }

    private func files(
        _ report: StatusReport, by key: SecretKey, changing change: (String) -> String = { $0 }
    ) throws -> [String: String] {
        let text = try report.text
        let signature = try key.sign(Array(text.utf8), trustedComment: "timestamp:1\tfile:status.json\thashed").text
        return ["/status.json": change(text), "/status.json.minisig": signature]
    }

    private let report = StatusReport(made: DateTime(iso8601: "2026-11-28T04:00:00Z")!)

    @Test func signedStatusIsRead() async throws {
        let key = try SecretKey.generate(), other = try SecretKey.generate()
        let fetched = try await fetch(files(report, by: key), keys: [other.publicKey, key.publicKey], after: report)
        #expect(fetched == report)
    }

    @Test func whatNoKnownKeyHasSignedIsRefused() async throws {
        let key = try SecretKey.generate(), other = try SecretKey.generate()
        let files = try files(report, by: key)
        await #expect {
            try await fetch(files, keys: [other.publicKey])
        } throws: {
            ($0 as? PackError)?.message
                == "the status is signed by an unknown key: \(key.id) (expected \(other.id))"
                && ($0 as? PackError)?.hint == .nameStatusKey
        }
        await #expect { try await fetch(files, keys: []) } throws: { ($0 as? PackError)?.code == .key }
    }

    @Test func changedStatusIsRefused() async throws {
        let key = try SecretKey.generate()
        let files = try files(report, by: key) { $0.replacing("2026", with: "2027") }
        await #expect { try await fetch(files, keys: [key.publicKey]) } throws: {
            ($0 as? PackError)?.message == "the signature does not match the status: one of them was changed"
        }
    }

    @Test func olderStatusDoesNotReplaceANewerOne() async throws {
        let key = try SecretKey.generate()
        let newer = StatusReport(made: DateTime(iso8601: "2026-11-29T04:00:00Z")!)
        let files = try files(report, by: key)
        await #expect { try await fetch(files, keys: [key.publicKey], after: newer) } throws: {
            "\($0)".contains("older than what was fetched before (2026-11-29T04:00:00Z)")
        }
    }

    @Test func statusWithoutSignatureIsRefused() async throws {
        let key = try SecretKey.generate()
        let unsigned = try files(report, by: key).filter { !$0.key.hasSuffix(".minisig") }
        await #expect { try await fetch(unsigned, keys: [key.publicKey]) } throws: {
            "\($0)".contains("has no /status.json.minisig (404)")
        }
    }
}

/// A web server with some files.
private struct FileServer: Transport {
    let files: [String: String]

    init(_ files: [String: String]) { self.files = files }

    func send(_ request: TransportRequest) async throws -> TransportResponse {
        let file = files[request.url.path]
        return TransportResponse(
            status: file == nil ? 404 : 200, url: request.url, headers: [:], body: Array((file ?? "").utf8))
    }
}
