import HTTPTransport
import ProviderModel

/// One commit of a repository, put into a folder.
struct GitCheckout {
    let git: GitProgram
    let address: GitAddress

    /// Fetches the newest commit of what is wanted, and nothing before it, into a folder; returns the commit.
    func fetch(into folder: String, allowing allowedHosts: AllowedHosts) async throws(PackError) -> String {
        try checkHost(allowedHosts)
        _ = try await run(["init", "--quiet", "--template=", "."], in: folder)
        let wanted = address.reference ?? "HEAD"
        do {
            _ = try await run(
                [
                    "fetch", "--quiet", "--depth", "1", "--no-tags", "--no-recurse-submodules", "--",
                    address.repository, wanted,
                ],
                in: folder)
        } catch {
            throw PackError(
                .file, "\(address) cannot be fetched: \(error.message)", subject: address.description,
                hint: error.hint
                    ?? "check the address, and that \(wanted) is a branch, tag or commit there; no password is asked"
            )
        }
        _ = try await run(["checkout", "--quiet", "--detach", "FETCH_HEAD"], in: folder)
        return try await run(["rev-parse", "HEAD"], in: folder).filter { !$0.isNewline }
    }

    private func run(_ arguments: [String], in folder: String) async throws(PackError) -> String {
        try await git.run(arguments, in: folder, access: address.access)
    }

    /// Git goes past our transport, so what is judged there is judged here as far as the address says it.
    private func checkHost(_ allowedHosts: AllowedHosts) throws(PackError) {
        guard address.access == .https || address.access == .http, let url = try? WebURL(address.repository),
            !allowedHosts.admits(url)
        else { return }
        let kind = url.isLoopback ? "loopback" : NetworkAddress(literal: url.host)?.special
        if let kind {
            throw PackError(
                .refused, "\(url.origin) is a \(kind) address, where packs have no business",
                subject: address.description,
                hint: "pass --allow-host \(url.authority) if you trust it")
        }
        if address.access == .http {
            throw PackError(
                .refused, "\(url.origin) is plain http, which anybody on the way can change",
                subject: address.description,
                hint: "use git+https, or pass --allow-host \(url.authority) if you trust the way there")
        }
    }
}
