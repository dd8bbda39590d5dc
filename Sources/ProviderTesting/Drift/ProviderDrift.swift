import HTTPTransport
import ProviderModel
import ProviderRuntime

/// Compares live responses with the recorded ones, and reports which fields of the items are affected.
package enum ProviderDrift {
    /// The drift of one file: a case for each recorded operation.
    package static func suite(
        of file: ProviderFile, _ settings: TestSettings, _ service: LiveService
    ) async -> TestReport.Suite {
        await ConformanceSubject.withSubject(file, settings, named: "\(file.id) drift", isLive: true) {
            subject, suite in
            let live = try await LiveSubject(subject, service)
            for operation in ProviderOperation.allCases {
                guard let known = subject.recorded.first(where: { $0.call.operation == operation }) else { continue }
                suite.cases.append(await result(of: known, subject, live))
            }
            if suite.cases.isEmpty {
                suite.cases.append(
                    TestReport.Case("shapes", .skipped, note: "no recorded responses to compare with"))
            }
        }
    }

    private static func result(
        of known: ConformanceSubject.Recorded, _ subject: ConformanceSubject, _ live: LiveSubject
    ) async -> TestReport.Case {
        let capture = await live.ask(known.call)
        var test = TestReport.Case("\(known.call)", .passed, duration: capture.duration)
        let findings = await findings(from: known, to: capture, on: subject)
        for finding in findings where finding.change.kind != .added {
            let broken = finding.fields
            let effect =
                broken.isEmpty
                ? "no field of an item is read from it" : "it breaks \(broken.joined(separator: ", "))"
            test.problems.append(
                TestReport.Problem(
                    "\(finding.change); \(effect)",
                    hint: broken.isEmpty
                        ? .record(.all, file: nil) : .several(["fix the mapping first", .record(.all, file: nil)]),
                    location: subject.location(of: known.call.operation)))
            test.outcome =
                broken.isEmpty && test.outcome != .failed ? .warning : broken.isEmpty ? test.outcome : .failed
        }
        if case .failure(let error) = capture.result {
            test.problems.append(TestReport.Problem(error, during: "\(known.call)"))
            test.outcome = .failed
        }
        let added = findings.filter { $0.change.kind == .added }.map(\.change.path)
        test.note =
            added.isEmpty ? nil : "new: \(added.prefix(8).joined(separator: ", "))\(added.count > 8 ? " …" : "")"
        return test
    }

    /// Changes between the recorded and the live responses of a call, each with the fields of an item that need what is
    /// gone.
    static func findings(
        from known: ConformanceSubject.Recorded, to capture: CallCapture, on subject: ConformanceSubject
    ) async -> [(change: ShapeDrift.Change, fields: [String])] {
        var findings: [(change: ShapeDrift.Change, fields: [String])] = []
        for (index, (old, new)) in zip(known.answers, capture.answers).enumerated() {
            for change in ShapeDrift(from: old.body, to: new.body)?.changes ?? [] {
                let fields =
                    change.kind == .added ? [] : await fields(needing: change.path, of: known, at: index, on: subject)
                findings.append((change, fields))
            }
        }
        return findings
    }

    /// The fields of an item that change when a field of the recorded answer goes; `everything` when nothing is left.
    static func fields(
        needing path: String, of known: ConformanceSubject.Recorded, at index: Int, on subject: ConformanceSubject
    ) async -> [String] {
        guard index < known.answers.count, let json = JSONValue.found(in: known.answers[index].body),
            let without = JSONMutations.removing(path, from: json)
        else { return [] }
        let capture = await subject.play(known.call, changing: index) { response in
            var changed = response
            changed.body = Array(without.compact.utf8)
            return changed
        }
        guard case .success(let result) = capture.result, result.items.count == known.result.items.count else {
            return ["everything"]
        }
        var fields: [String] = []
        for (before, after) in zip(known.result.items, result.items) {
            guard let old = JSONValue.found(in: before.contractJSON.description.utf8),
                let new = JSONValue.found(in: after.contractJSON.description.utf8)
            else { continue }
            for change in JSONDifference(from: old, to: new).changes where !change.path.hasPrefix("$.extra") {
                let field = String(change.path.dropFirst(2)).withoutIndices
                if !fields.contains(field) { fields.append(field) }
            }
        }
        return fields
    }
}

extension String {
    /// `media[3].url` as `media[].url`.
    fileprivate var withoutIndices: String {
        var result = ""
        var isInside = false
        for character in self {
            if character == "]" { isInside = false }
            if !isInside { result.append(character) }
            if character == "[" { isInside = true }
        }
        return result
    }
}
