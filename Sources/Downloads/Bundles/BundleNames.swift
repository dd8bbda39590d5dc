import ProviderModel

/// The names that files get in an archive, apart from those that are taken.
struct BundleNames {
    private let format: DownloadOptions.Bundle.Format
    private let known: [MediaKey: String]
    private var taken: Set<String>

    /// Names for an archive that holds files of these names already, some of them known by their keys.
    init(_ format: DownloadOptions.Bundle.Format, taken: Set<String>, known: [MediaKey: String]) {
        (self.format, self.taken, self.known) = (format, taken, known)
    }

    /// The members with their names: their paths in a ZIP archive, the numbers of pages in a comic book.
    ///
    /// A page keeps its number for good. A new one gets that of its place where it is free, and else comes last.
    func names(for members: [BundleStage.Member]) -> [(member: BundleStage.Member, name: String)] {
        var taken = taken
        for member in members { if let name = known[member.key] { taken.remove(name) } }
        var numbers = Set(taken.compactMap(Self.number))
        numbers.formUnion(members.compactMap { known[$0.key].flatMap(Self.number) })
        return members.sorted { ($0.place, $0.path) < ($1.place, $1.path) }.map { member in
            let own = Self.stemAndEnding(member.path)
            switch format {
            case .zip:
                let distinct = "\(own.stem)~\(member.key.digits(8))\(own.ending)"
                let name = taken.contains(member.path) ? distinct : member.path
                taken.insert(name)
                return (member, name)
            case .cbz:
                var number = known[member.key].flatMap(Self.number)
                if number == nil {
                    number = numbers.contains(member.place) ? (numbers.max() ?? 0) + 1 : member.place
                    numbers.insert(number ?? 0)
                }
                return (member, Self.page(number ?? 0) + own.ending)
            }
        }
    }

    /// `00012`: numbers are as long as the others, so that names sort as pages do.
    private static func page(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(5 - digits.count, 0)) + digits
    }

    private static func number(of name: String) -> Int? { Int(name.prefix { $0.isASCII && $0.isNumber }) }

    private static func stemAndEnding(_ path: String) -> (stem: String, ending: String) {
        guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return (path, "") }
        return (String(path[..<dot]), String(path[dot...]))
    }
}
