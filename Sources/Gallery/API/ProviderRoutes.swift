import Hummingbird
import ImgScript
import ProviderModel

/// Describes the providers, with everything a form for their parameters needs.
struct ProviderRoutes: Sendable {
    let engine: ImageEngine
    let settings: GallerySettings

    /// Answers `GET /providers`.
    func providers(_ request: Request, _ context: GalleryContext) async throws -> Response {
        try QueryParameters(request).check([])
        let listings = await engine.listProviders()
        let manifests = listings.compactMap { try? $0.manifest.get() }  // the others are listed with their error
        /// The origins of secrets by owner and name.
        let secrets: [String: String]
        do {
            let entries = try engine.listSecrets(of: manifests).map { ("\($0.owner) \($0.name)", $0.origin) }
            secrets = Dictionary(entries) { first, _ in first }
        } catch { throw APIError(error) }
        let defaults = Set(engine.providerNames(for: settings.defaultProviders))
        var json = JSONWriter()
        json.object { json in
            json.name("offline")
            json.value(settings.isOffline)
            json.name("sample")
            json.value(settings.isSample)
            json.member("downloadFolder", settings.downloadFolder)
            json.name("providers")
            json.array(listings) { json, listing in
                json.object { json in
                    json.member("id", listing.id.description)
                    switch listing.manifest {
                    case .success(let manifest):
                        let owner = engine.secretOwner(of: manifest)
                        let names = manifest.secretNames
                        json.write(manifest)
                        let origins = names.compactMap { secrets["\(owner) \($0)"] }
                        let hasKey = !names.isEmpty && origins.count == names.count
                        json.name("hasKey")
                        json.value(hasKey)
                        if hasKey {
                            json.member(
                                "keyOrigin", origins.contains { $0.hasPrefix("$") } ? "environment" : "stored")
                        }
                        json.member("bugs", listing.bugs)
                    case .failure(let error):
                        json.member("name", listing.id.description)
                        json.member("error", "\(error)")
                    }
                    json.member("broken", listing.broken?.description)
                    json.name("isDefault")
                    json.value(defaults.contains(listing.id.description))
                }
            }
        }
        return Response(json: json)
    }
}

extension ProviderManifest {
    /// The secrets of the method that is preferred among those whose secrets can be given.
    var secretNames: [String] {
        (keyMethod ?? authentication.first { $0.neededCookies != nil })?.secretNames ?? []
    }

    fileprivate var keyNeed: String {
        authentication.allSatisfy(\.secretNames.isEmpty) ? "none" : needsKey ? "required" : "optional"
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ manifest: ProviderManifest) {
        member("name", manifest.name)
        member("version", manifest.version)
        member("summary", manifest.summary)
        member("category", manifest.category?.rawValue)
        if manifest.isForAdults {
            name("adult")
            value(true)
        }
        member("homepage", manifest.homepage)
        member("keyPage", manifest.keyPage)
        member("keyHelp", manifest.keyMethod?.help)
        member("key", manifest.keyNeed)
        name("secrets")
        array(manifest.secretNames) { $0.value($1) }
        name("needsServer")
        value(manifest.instance.map { $0.default == nil } ?? false)
        member("termsPage", manifest.terms.url)
        member("license", manifest.terms.license)
        member("notice", manifest.terms.notice)
        name("operations")
        array(manifest.operations.filter { Self.operations.contains($0.operation) }) { $0.write($1) }
    }

    private static let operations: [ProviderOperation] = [.search, .feed, .details, .collection]

    private mutating func write(_ operation: OperationDescription) {
        object { json in
            json.member("kind", operation.operation.rawValue)
            json.name("near")
            json.value(operation.takesPoint)
            json.name("parameters")
            json.array(operation.parameters) { $0.write($1) }
        }
    }

    private mutating func write(_ parameter: ParameterDescription) {
        object { json in
            json.member("name", parameter.name)
            json.member("type", parameter.kind.rawValue)
            if !parameter.values.isEmpty {
                json.name("values")
                json.array(parameter.values) { $0.value($1) }
            }
            json.member("default", parameter.default)
            json.member("min", parameter.minimum)
            json.member("max", parameter.maximum)
            json.member("help", parameter.help)
        }
    }
}
