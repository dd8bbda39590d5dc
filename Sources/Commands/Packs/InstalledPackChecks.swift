import ImgScript
import Packs
import ProviderRuntime

/// Whether the packs of lockfiles are on this machine, with the very files that were installed.
struct InstalledPackChecks {
    let store: PackStore
    let lockfiles: [String]

    /// Adds what is found of all packs, or of that of one name; returns how many findings there are.
    func add(to list: inout CheckList, named wanted: String? = nil) -> Int {
        var count = 0
        for lockfile in lockfiles {
            do {
                for (name, pack) in try store.lock(at: lockfile).packs.sorted(by: { $0.key < $1.key })
                where wanted ?? name == name {
                    count += 1
                    add(pack, named: name, of: lockfile, to: &list)
                }
            } catch let error as PackLockError {
                count += 1
                list.add(.bad, "lockfile", "\(error.path) cannot be used: \(error.reason)", hint: error.hint)
            } catch {
                count += 1
                list.add(.bad, "lockfile", "\(error)")
            }
        }
        return count
    }

    private func add(_ pack: LockedPack, named name: String, of lockfile: String, to list: inout CheckList) {
        let isOther = lockfile != lockfiles.first
        let hint = "imgscript pack install --frozen\(isOther ? " --user" : "") puts it right"
        switch store.condition(of: pack, named: name) {
        case .whole:
            let place = lockfiles.count > 1 ? " (\(lockfile))" : ""
            list.add(.good, name, "\(pack.version), every file as it was installed\(place)")
        case .missing: list.add(.bad, name, "\(pack.version) of \(lockfile) is not on this machine", hint: hint)
        case .unknown:
            list.add(
                .doubtful, name, "\(pack.version): its files cannot be compared, as its archive was not kept",
                hint: hint)
        case .changed(let differences):
            let more = differences.count - 3
            list.add(
                .bad, name,
                "\(pack.version): since it was installed, "
                    + differences.prefix(3).joined(separator: ", ") + (more > 0 ? " and \(more) more" : ""),
                hint: hint)
        }
    }
}
