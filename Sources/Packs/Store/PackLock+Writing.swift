import ProviderModel
import ProviderRuntime

extension PackLock {
    /// The file's text: one value a line, so that a diff shows what changed and nothing else.
    package var text: String {
        let entries = packs.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, $0.value.json) }
        let file = JSONValue.object([.init("lockfile", .number("\(lockfile)")), .init("packs", .object(entries))])
        return file.pretty + "\n"
    }
}

extension LockedPack {
    var json: JSONValue {
        var members: [JSONValue.Member] = [.init("version", .text(version)), .init("source", .text(source))]
        if let resolved { members.append(.init("resolved", .text(resolved))) }
        members += [.init("integrity", .text(integrity)), .init("contract", .number("\(contract)"))]
        if let key { members.append(.init("key", .text(key))) }
        let grants = providers.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, $0.value.json) }
        return .object(members + [.init("providers", .object(grants))])
    }
}

extension ProviderGrant {
    fileprivate var json: JSONValue {
        func list(_ texts: [String]) -> JSONValue { .array(texts.map { .text($0) }) }
        return .object([
            .init("file", .text(file)), .init("hosts", list(hosts)), .init("mediaHosts", list(mediaHosts)),
            .init("credentials", list(credentials)),
        ])
    }
}
