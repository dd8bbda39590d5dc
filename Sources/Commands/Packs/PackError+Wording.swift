import Packs

extension PackError {
    /// The exit code of a command that this error ends.
    var status: ExitStatus {
        switch code {
        case .name, .version: .usage
        case .notInstalled: .notFound
        default: .failure
        }
    }
}

extension PackError.Hint {
    /// The hint with this program's commands and options.
    var text: String {
        switch self {
        case .advice(let text): text
        case .createPack: "imgscript pack init creates one"
        case .nameFolderOrArchive: "expected a pack’s folder, or a .tgz of imgscript pack build or npm pack"
        case .runTests: "imgscript pack run-tests shows all of them"
        case .generateKey: "imgscript pack keygen creates a key pair"
        case .nameKey: "if the author has a new key, get it from a place you trust, and pass it with --key"
        case .installVersion(let pack): "install it with: imgscript pack install \(pack)"
        case .reinstall(let source): "see what it is now with: imgscript pack install \(source)"
        case .grantPermissions(let pack): "grant it with: imgscript pack update \(pack) --accept hosts"
        case .remove(let pack): "to replace it, remove it first with: imgscript pack remove \(pack)"
        case .listPacks: "imgscript pack list shows the packs of all lockfiles; --user selects your own lockfile"
        case .nameAddressAgain(let address): "name it again, with its key: imgscript pack install '\(address)'"
        case .allowHost(let host, nil): "allow it with --allow-host \(host)"
        case .allowHost(let host, let other?): "\(other), or allow it with --allow-host \(host)"
        case .inspect(let pack): "imgscript pack inspect \(pack) shows the newest version"
        case .searchRegistry:
            "check the name; imgscript pack search finds packs, and --registry selects another registry"
        }
    }
}

extension StatusLine {
    /// Prints what went wrong with a pack.
    func error(_ error: PackError) {
        let isNamed = error.subject.map { error.message.contains($0) } ?? true
        self.error(
            isNamed ? error.message : error.description,
            hint: error.hint?.text ?? error.cause.flatMap { ErrorHint.hint(for: $0) })
    }
}
