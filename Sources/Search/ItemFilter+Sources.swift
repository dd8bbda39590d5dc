import ProviderModel

// The conditions that sources check, so that less has to be fetched. A source may be less exact than the filter, but not
// stricter: each item is checked again.

extension ItemFilter {
    /// The conditions that a parameter can ask a source for.
    package var conditions: [ParameterDescription.Condition] {
        ParameterDescription.Condition.allCases.filter { condition in
            switch condition {
            case .tag: !tags.isEmpty
            case .excludeTag: !excludedTags.isEmpty
            case .since: since != nil
            case .until: until != nil
            case .minWidth: minimumWidth != nil
            case .minHeight: minimumHeight != nil
            case .minPixels: minimumPixels != nil
            case .aspect: aspect != nil
            case .license: !licenses.isEmpty
            case .mediaFormat: !mediaFormats.isEmpty
            case .noAI: excludesAIGenerated
            }
        }
    }

    /// The value that asks a source for a condition, as a user would type it; nil where the filter has no such condition, or
    /// the parameter cannot express it.
    func value(of condition: ParameterDescription.Condition, for parameter: ParameterDescription) -> String? {
        switch condition {
        case .tag: tags.isEmpty ? nil : tags.joined(separator: ",")
        // A long list of the user's own would make a URL that servers refuse.
        case .excludeTag: excludedTags.isEmpty || excludedTags.count > 20 ? nil : excludedTags.joined(separator: ",")
        case .since: since.map { Self.text(of: $0.first.day, "00:00:00", for: parameter.kind) }
        case .until: until.map { Self.text(of: $0.last.day, "23:59:59", for: parameter.kind) }
        case .minWidth: minimumWidth.flatMap(parameter.value(forAtLeast:))
        case .minHeight: minimumHeight.flatMap(parameter.value(forAtLeast:))
        case .minPixels: minimumPixels.flatMap(parameter.value(forAtLeast:))
        case .aspect: (aspect?.name).flatMap { parameter.value(for: [$0]) { $0 == $1 } }
        case .license:
            // A source may know a licence without its version, or each version.
            parameter.value(for: licenses) { Self.isLicense($0, $1) || Self.isLicense($1, $0) }
        case .mediaFormat:
            parameter.value(for: mediaFormats) { known, wanted in
                MediaFormat(named: known) == MediaFormat(named: wanted) && MediaFormat(named: known) != nil
            }
        case .noAI: excludesAIGenerated ? "true" : nil
        }
    }

    /// Whole days: a request with `7d` is the same all day, so that it is answered from the cache.
    private static func text(of day: CalendarDay, _ time: String, for kind: ParameterDescription.Kind) -> String {
        kind == .integer ? String(day.date.year) : "\(day)T\(time)Z"
    }
}

extension ParameterDescription {
    /// The parameter's value for a minimum: that of the largest number that is not above it, where it has values for some.
    fileprivate func value(forAtLeast minimum: Int) -> String? {
        guard !conditionValues.isEmpty else { return String(minimum) }
        return conditionValues.compactMap { pair in Int(pair.name).map { ($0, pair.value) } }
            .filter { $0.0 <= minimum }.max { $0.0 < $1.0 }?.1
    }

    /// The parameter's value for some words, of which each has to have one: all of them in a list, the only one else.
    fileprivate func value(for wanted: [String], where isSame: (_ known: String, _ wanted: String) -> Bool) -> String? {
        guard !wanted.isEmpty else { return nil }
        let known = conditionValues.isEmpty ? values.map { NamedValue($0, $0) } : conditionValues
        guard wanted.allSatisfy({ word in known.contains { isSame($0.name, word) } }) else { return nil }
        let found = known.filter { pair in wanted.contains { isSame(pair.name, $0) } }.map(\.value)
        var distinct: [String] = []
        for value in found where !distinct.contains(value) { distinct.append(value) }
        return kind == .list || distinct.count == 1 ? distinct.joined(separator: ",") : nil
    }
}
