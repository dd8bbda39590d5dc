import Foundation
import Synchronization

/// A small npm registry on this machine: takes what `npm publish` sends, and gives packuments, tarballs and searches.
package final class LoopbackRegistry: Sendable {
    /// How a registry is set up, and what it makes of its releases to misbehave.
    package struct Behaviour: Sendable {
        /// The `Authorization` it wants; nil for none.
        package var authorization: String?
        /// The answer to `/-/npm/v1/keys`; nil where it does not sign.
        package var keys: String?
        /// The `dist` of a release before it is given out, as JSON.
        package var changeDistribution:
            @Sendable (_ name: String, _ version: String, [String: String]) -> [String: String] = { $2 }
        /// The signature of `name@version:integrity` with the key's id; nil where it does not sign.
        package var sign: @Sendable (String) -> (keyid: String, signature: String)? = { _ in nil }
        /// When versions were published.
        package var times: [String: String] = [:]
        /// What its author says against a version.
        package var deprecated: [String: String] = [:]

        /// One that accepts everything.
        package init() {}
    }

    private struct State {
        var manifests: [String: [String: Data]] = [:]
        var tags: [String: [String: String]] = [:]
        var tarballs: [String: Data] = [:]
        var behaviour = Behaviour()
        var origin = ""
    }

    private final class Shelf: Sendable {
        let state = Mutex(State())
    }

    private let shelf: Shelf
    private let server: LoopbackServer

    /// Starts an empty registry.
    package init(_ behaviour: Behaviour = Behaviour()) throws {
        let shelf = Shelf()
        self.shelf = shelf
        server = try LoopbackServer { Self.reply(to: $0, shelf) }
        let origin = server.origin
        shelf.state.withLock {
            $0.origin = origin
            $0.behaviour = behaviour
        }
    }

    /// `http://127.0.0.1:PORT`.
    package var origin: String { server.origin }
    /// `127.0.0.1:PORT`.
    package var authority: String { "127.0.0.1:\(server.port)" }
    /// The requests seen so far.
    package var requests: [LoopbackRequest] { server.requests }

    /// Changes how it behaves from now on.
    package func change(_ change: @Sendable (inout Behaviour) -> Void) {
        shelf.state.withLock { change(&$0.behaviour) }
    }

    /// Puts another content under a tarball's name, as a break-in would.
    package func replaceTarball(_ name: String, with bytes: [UInt8]) {
        shelf.state.withLock { $0.tarballs[name] = Data(bytes) }
    }

    /// Publishes a tarball without npm.
    package func publish(_ name: String, _ version: String, tarball: [UInt8], integrity: String?, shasum: String? = nil)
        throws
    {
        let file = "\(name.split(separator: "/").last ?? "")-\(version).tgz"
        var dist = ["tarball": "\(origin)/\(name)/-/\(file)"]
        dist["integrity"] = integrity
        dist["shasum"] = shasum
        let manifest: [String: Any] = ["name": name, "version": version, "dist": dist, "keywords": ["imgscript"]]
        let bytes = try JSONSerialization.data(withJSONObject: manifest)
        shelf.state.withLock { state in
            state.manifests[name, default: [:]][version] = bytes
            state.tags[name, default: [:]]["latest"] = version
            state.tarballs["\(name)/-/\(file)"] = Data(tarball)
        }
    }

    private static func reply(to request: LoopbackRequest, _ shelf: Shelf) -> LoopbackReply {
        let path = String(request.path.dropFirst()).removingPercentEncoding ?? ""
        return shelf.state.withLock { state in
            if let wanted = state.behaviour.authorization, request.header("authorization") != wanted {
                return .answer(401, text: #"{"error": "who are you?"}"#)
            }
            if request.method == "PUT" { return publish(request, &state) }
            switch path {
            case "-/v1/search": return search(request, state)
            case "-/npm/v1/keys": return state.behaviour.keys.map { .answer(text: $0) } ?? .answer(404, text: "{}")
            default:
                if let tarball = state.tarballs[path] { return .answer(body: Array(tarball)) }
                return packument(of: path, state)
            }
        }
    }

    private static func publish(_ request: LoopbackRequest, _ state: inout State) -> LoopbackReply {
        guard let sent = try? JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any],
            let name = sent["name"] as? String, let versions = sent["versions"] as? [String: [String: Any]],
            let attachments = sent["_attachments"] as? [String: [String: Any]]
        else { return .answer(400, text: "{}") }
        for (version, manifest) in versions {
            var manifest = manifest
            var dist = manifest["dist"] as? [String: Any] ?? [:]
            let file = "\(name.split(separator: "/").last ?? "")-\(version).tgz"
            dist["tarball"] = "\(state.origin)/\(name)/-/\(file)"
            manifest["dist"] = dist
            state.manifests[name, default: [:]][version] = try? JSONSerialization.data(withJSONObject: manifest)
            for attachment in attachments.values {
                let bytes = (attachment["data"] as? String).flatMap { Data(base64Encoded: $0) }
                state.tarballs["\(name)/-/\(file)"] = bytes
            }
        }
        state.tags[name, default: [:]].merge(sent["dist-tags"] as? [String: String] ?? [:]) { $1 }
        return .answer(201, headers: [("Content-Type", "application/json")], text: #"{"ok": true}"#)
    }

    private static func packument(of name: String, _ state: State) -> LoopbackReply {
        guard let manifests = state.manifests[name] else { return .answer(404, text: #"{"error": "not found"}"#) }
        var versions: [String: Any] = [:]
        for (version, bytes) in manifests {
            guard var manifest = try? JSONSerialization.jsonObject(with: bytes) as? [String: Any] else { continue }
            let dist = manifest["dist"] as? [String: Any] ?? [:]
            let texts = dist.compactMapValues { $0 as? String }
            var changed = state.behaviour.changeDistribution(name, version, texts) as [String: Any]
            if let integrity = changed["integrity"] as? String,
                let (keyid, signature) = state.behaviour.sign("\(name)@\(version):\(integrity)")
            {
                changed["signatures"] = [["keyid": keyid, "sig": signature]]
            }
            manifest["dist"] = changed
            manifest["deprecated"] = state.behaviour.deprecated[version]
            versions[version] = manifest
        }
        let packument: [String: Any] = [
            "name": name, "dist-tags": state.tags[name] ?? [:], "versions": versions, "time": state.behaviour.times,
        ]
        return answer(packument)
    }

    private static func search(_ request: LoopbackRequest, _ state: State) -> LoopbackReply {
        let text = URLComponents(string: request.target)?.queryItems?.first { $0.name == "text" }?.value ?? ""
        let words = text.split(separator: " ").filter { !$0.hasPrefix("keywords:") }
        let found = state.tags.sorted { $0.key < $1.key }.filter { name, _ in words.allSatisfy { name.contains($0) } }
        let objects = found.map { name, tags in
            ["package": ["name": name, "version": tags["latest"] ?? "", "description": "Invented images"]]
        }
        return answer(["objects": objects, "total": objects.count])
    }

    private static func answer(_ object: [String: Any]) -> LoopbackReply {
        let bytes = (try? JSONSerialization.data(withJSONObject: object)) ?? Data()
        return .answer(headers: [("Content-Type", "application/json")], body: Array(bytes))
    }
}
