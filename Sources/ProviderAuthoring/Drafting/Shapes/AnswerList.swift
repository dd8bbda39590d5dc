import ProviderModel

/// The list of images in an answer: where it stands, and what is in it.
struct AnswerList: Sendable {
    /// How the items stand at their place.
    enum Form: Hashable, Sendable {
        /// A list of objects.
        case list
        /// An object whose members are the items, named after their ids.
        case members
        /// A list of URLs.
        case urls
        /// One object, which is the only item.
        case single
    }

    /// Where they stand.
    let path: FieldPath
    let form: Form
    /// The items.
    let items: [JSONValue]
    /// Where the answer came from, for paths in it.
    let base: WebURL

    /// The list that is most like one of images; nil when nothing in the answer is.
    init?(in answer: JSONValue, from base: WebURL) {
        var candidates: [AnswerList] = []
        Self.collect(answer, FieldPath(), base, &candidates)
        let scored = candidates.map { ($0, $0.score) }.filter { $0.1 > 0 }
        if let best = scored.max(by: { $0.1 < $1.1 })?.0 {
            // Without ids they are the files of one item, which may be the answer itself.
            let single = best.isOfFiles ? Self.single(in: answer, base) : nil
            self = single ?? best
        } else if let single = Self.single(in: answer, base) {
            self = single
        } else {
            return nil
        }
    }

    private init(path: FieldPath, form: Form, items: [JSONValue], base: WebURL) {
        self.path = path
        self.form = form
        self.items = items
        self.base = base
    }

    /// A list deeper than this belongs to one of the items.
    private static let deepest = 5

    private static func collect(
        _ value: JSONValue, _ path: FieldPath, _ base: WebURL, _ candidates: inout [AnswerList]
    ) {
        guard path.steps.count <= deepest else { return }
        switch value {
        case .array(let elements):
            if !elements.isEmpty, elements.allSatisfy({ $0.members != nil }) {
                candidates.append(AnswerList(path: path, form: .list, items: elements, base: base))
            } else if !elements.isEmpty, elements.allSatisfy({ $0.webURL != nil }) {
                candidates.append(AnswerList(path: path, form: .urls, items: elements, base: base))
            }
        case .object(let members):
            let values = members.map(\.value)
            let areIDs = members.allSatisfy { $0.name.allSatisfy { $0.isNumber || $0 == "-" } }
            if !members.isEmpty, areIDs, values.allSatisfy({ $0.members != nil }) {
                candidates.append(AnswerList(path: path, form: .members, items: values, base: base))
            } else {
                for member in members { collect(member.value, path.appending(.name(member.name)), base, &candidates) }
            }
        default: break
        }
    }

    /// The object that is an image itself: the whole answer, or what it wraps.
    private static func single(in answer: JSONValue, _ base: WebURL) -> AnswerList? {
        var path = FieldPath(), value = answer
        while let members = value.members {
            let fields = ItemFields(of: [value], at: base)
            let own = fields.all.filter {
                $0.path.steps.count <= 2 && $0.path.steps.last != .first && LinkKind($0) == .image
            }
            if !own.isEmpty
                || members.count > 3
                    && fields.all.contains(where: { $0.path.steps.last != .first && LinkKind($0) == .image })
            {
                return AnswerList(path: path, form: .single, items: [value], base: base)
            }
            guard let inner = members.first(where: { $0.value.members != nil }) else { return nil }
            (path, value) = (path.appending(.name(inner.name)), inner.value)
        }
        return nil
    }

    /// Whether the elements differ in nothing but their URLs.
    private var isOfFiles: Bool {
        form == .urls
            || !ItemFields(of: items, at: base).all.contains {
                $0.words.words.contains("id") || $0.key.hasSuffix("id")
                    || ["title", "name", "identifier"].contains($0.key)
            }
    }

    /// How much the list is like one of images; 0 when it has none.
    private var score: Double {
        guard form != .urls else {
            let isImages = items.allSatisfy { $0.webURL.map { !$0.fileEnding.isEmpty } ?? false }
            return isImages ? 2 + Double(min(items.count, 20)) / 20 - Double(path.steps.count) / 4 : 0
        }
        let fields = ItemFields(of: items, at: base)
        let images = fields.all.filter { LinkKind($0) == .image }
        let coverage = images.map { Double($0.count) / Double(items.count) }.max() ?? 0
        let hasID = fields.all.contains {
            $0.depth == 0 && ($0.words.words.contains("id") || $0.key.hasSuffix("id") || $0.key == "identifier")
        }
        // Sizes of one image are a list of images, too, but have neither names nor pages.
        let named = fields.all.contains {
            $0.depth == 0 && ["title", "name", "tags", "description", "user", "author"].contains($0.key)
        }
        let name = NameWords(path.name).joined
        let isNamedWell = [
            "results", "result", "items", "photos", "hits", "data", "images", "posts", "records", "objects", "response",
            "docs",
        ].contains(name)
        // Without a file in sight the URLs may still be made of ids; the list is one of objects all the same.
        guard coverage > 0 || (hasID && isNamedWell) else { return 0 }
        return coverage * 3 + (hasID ? 2 : 0) + (named ? 2 : 0) + (isNamedWell ? 1 : 0) + Double(min(items.count, 20))
            / 20
            - Double(path.steps.count) / 4
    }

    /// The items as an expression of JavaScript over `root`.
    func expression(from root: String) -> String {
        let place = path.expression(from: root)
        switch form {
        case .list, .urls: return place
        case .members: return "Object.values(\(place))"
        case .single: return "[\(place)]"
        }
    }
}
