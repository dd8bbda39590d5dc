import HTTPTransport
import ProviderModel
import ProviderRuntime

/// Fetches what others have found of the health of sources; only what a known key has signed is taken.
package struct StatusFetcher: Sendable {
    private let network: PackNetwork

    /// A search waits for it, once a day.
    private static let deadline = Duration.seconds(5)

    /// A fetcher.
    package init(over network: PackNetwork) { self.network = network }

    /// Fetches a status and the signature beside it, `URL.minisig`.
    ///
    /// - Parameters:
    ///   - text: the address of the status.
    ///   - keys: the keys of which one has to have signed it.
    ///   - former: the status that was fetched last, which is not replaced by an older one.
    /// - Returns: the status.
    /// - Throws: `PackError` when it cannot be fetched, is not signed by one of the keys, or is older than the former one;
    ///   `ProviderError` when it is not a status.
    package func report(
        at text: String, signedBy keys: [PublicKey], after former: StatusReport? = nil
    ) async throws -> StatusReport {
        let url: WebURL
        do throws(InvalidURL) { url = try WebURL(text) } catch {
            throw PackError(.registry, "invalid URL of a status: \(error)", subject: text)
        }
        let shown = AddressSecrets.masked(text)
        guard !keys.isEmpty else {
            throw PackError(.key, "\(shown): no key to verify the status with", subject: shown, hint: .nameStatusKey)
        }
        let bytes = try await network.content(
            of: url, accept: "application/json", limit: StatusReport.sizeLimit, deadline: Self.deadline)
        let signatureURL: WebURL
        do throws(InvalidURL) { signatureURL = try WebURL(PackSignature.path(forArchiveAt: text)) } catch {
            throw PackError(.registry, "invalid URL of a status: \(error)", subject: shown)
        }
        let signature = try await network.content(
            of: signatureURL, accept: "*/*", limit: 1 << 16, deadline: Self.deadline)
        do {
            try Self.verify(PackSignature(parsing: String(decoding: signature, as: UTF8.self)), of: bytes, by: keys)
        } catch { throw error.about(shown) }
        let report = try StatusReport(bytes, of: shown)
        if let former, report.made < former.made {
            throw PackError(
                .signature, "\(shown) is from \(report.made), older than what was fetched before (\(former.made))",
                subject: shown)
        }
        return report
    }

    private static func verify(
        _ signature: PackSignature, of bytes: [UInt8], by keys: [PublicKey]
    ) throws(PackError) {
        guard let key = keys.first(where: { $0.id == signature.keyID }) else {
            let expected = keys.map(\.id.description).joined(separator: " or ")
            throw PackError(
                .signature, "the status is signed by an unknown key: \(signature.keyID) (expected \(expected))",
                hint: .nameStatusKey)
        }
        try key.verify(signature, of: bytes, as: "status")
    }
}
