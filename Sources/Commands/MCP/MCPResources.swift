import FoundationEssentials
import ImgScript
import ProviderModel

/// Pictures and credits as resources.
struct MCPResources: Sendable {
    static let imageScheme = "imgscript://image/"
    private static let creditScheme = "imgscript://credit/"

    let tools: ImageTools
    /// The folder of downloads; nil for none.
    let folder: String?

    func list(_ descriptions: MCPDescriptions) -> [JSONValue] {
        folder == nil ? [] : [descriptions["creditsResource"]]
    }

    func read(_ uri: String) async throws -> JSONValue {
        do {
            if let reference = Self.reference(in: uri, after: Self.creditScheme) {
                var summaries = ImageSummaries(tools.engine)
                let credit = try await summaries.credit(of: try await tools.image(reference))
                return ["uri": .text(uri), "mimeType": "text/markdown", "text": .text(credit.markdown)]
            }
            if let reference = Self.reference(in: uri, after: Self.imageScheme) {
                let item = try await tools.image(reference)
                try item.checkLicense()
                let picture = try await tools.engine.images.picture(of: item, within: ImageTools.side)
                return ["uri": .text(uri), "mimeType": .text(picture.contentType), "blob": .text(picture.base64)]
            }
            if uri == "imgscript://credits", let folder {
                let text = try String(contentsOfFile: "\(folder)/\(CreditFormat.markdown.fileName)", encoding: .utf8)
                return ["uri": .text(uri), "mimeType": "text/markdown", "text": .text(text)]
            }
        } catch {
            try Task.checkCancellation()
            throw MCPError(.resource, "\(uri): \(MCPTool.Failure(error).message)")
        }
        throw MCPError(.resource, "there is no resource \(uri.quoted)")
    }

    private static func reference(in uri: String, after scheme: String) -> String? {
        guard uri.hasPrefix(scheme), uri.count > scheme.count else { return nil }
        // A plus is itself in a path.
        return PercentEncoding.decode(uri.dropFirst(scheme.count).replacing("+", with: "%2B"))
    }
}
