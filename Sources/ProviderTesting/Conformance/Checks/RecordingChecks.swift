import ProviderModel
import ProviderRuntime

/// Every good answer that was recorded for an operation is read without an error.
struct RecordedAnswersCheck: ConformanceCheck {
    let name = "recorded responses are read"
    let reason = "The source sends such responses to every user."

    func findings(on subject: ConformanceSubject) async -> CheckFindings {
        guard !subject.library.cassettes.isEmpty else {
            return .skipped(
                "no cassettes in cassettes/\(subject.manifest.id)",
                hint: .record(.first, file: subject.provider.file.path))
        }
        var findings = CheckFindings()
        for (call, error) in subject.unreadCalls {
            let place = subject.location(of: call.operation)
            if let unmatched = error as? UnmatchedRequest {
                findings.fail(
                    "\(call): \(unmatched)", hint: hint(for: call, unmatched, on: subject), location: place)
                continue
            }
            findings.fail(error, during: "\(call)", at: place)
            for other in (error as? ProviderError)?.others ?? [] {
                findings.fail(other, during: "\(call)", at: place)
            }
        }
        for recording in subject.library.recordings { check(recording, of: subject.manifest, &findings) }
        let recorded = Set(subject.recorded.map(\.call.operation)).union(subject.unreadCalls.map(\.call.operation))
        let missing = subject.manifest.operations.map(\.operation).filter { $0 != .session && !recorded.contains($0) }
        for operation in missing {
            let nearest = await nearest(to: operation, on: subject).map { ":\n\($0)" } ?? ""
            findings.warn(
                "found no recorded response to \(operation), expected one to each operation\(nearest)",
                hint: .several([
                    .recordCall(
                        Hint.CallToRecord(operation, text: operation == .search ? "TEXT" : ""),
                        file: subject.provider.file.path),
                    "add the call to an entry: \"call\": { \"operation\": \"\(operation)\" … }",
                ])
            )
        }
        findings.note = subject.recorded.map { "\($0.call)" }.prefix(8).joined(separator: ", ")
        return findings
    }

    /// Recording the call again helps, or its nearest request stands for the one that is made now.
    private func hint(for call: RecordedCall, _ unmatched: UnmatchedRequest, on subject: ConformanceSubject) -> Hint {
        let file = subject.provider.file.path
        let record = Hint.recordCall(subject.toRecord(call), file: file)
        guard let made = ProviderCall(call, of: subject.manifest),
            unmatched.candidates.contains(where: { RecordingAdaptation.allows($0.changes, for: made) })
        else { return record }
        return .several([.adaptRecordings(file: file), record])
    }

    /// A recorded call names what the provider takes.
    private func check(
        _ recording: CassetteLibrary.Recording, of manifest: ProviderManifest, _ findings: inout CheckFindings
    ) {
        let place = "\(recording.cassette).json, \(recording.call)"
        guard let description = manifest.description(of: recording.call.operation) else {
            findings.warn(
                "\(place): found no \(recording.call.operation) in the provider, expected one",
                hint: "remove the call from the cassette")
            return
        }
        for parameter in recording.call.parameters {
            let known = description.parameters.first { $0.name == parameter.name }
            do {
                guard try known?.value(from: parameter.value) == nil else { continue }
                findings.fail(
                    "\(place): found the parameter \(parameter.name.quoted), expected one of the provider's")
            } catch {
                findings.fail("\(place): \(error)")
            }
        }
    }

    /// What a request of an operation is, and how the recorded ones differ from it.
    private func nearest(to operation: ProviderOperation, on subject: ConformanceSubject) async -> UnmatchedRequest? {
        guard let call = subject.sampleCalls.first(where: { $0.operation == operation }),
            case .failure(let error) = await subject.play(call).result
        else { return nil }
        return error as? UnmatchedRequest
    }
}

/// A login that was recorded gives the values that requests are sent with.
struct RecordedLoginCheck: ConformanceCheck {
    let name = "the recorded login is read"
    let reason = "Without its values no request can be sent."

    func findings(on subject: ConformanceSubject) async -> CheckFindings {
        var findings = CheckFindings()
        guard let description = subject.manifest.description(of: .session) else {
            findings.note = "it has no login of its own"
            return findings
        }
        let stub = StubTransport()
        let replay = ReplayTransport(subject.library, onUse: subject.settings.uses?.note)
        let name = "session"
        do {
            let provider = try await subject.provider(over: stub, .placeholders)
            let session = try await stub.answering({ request, _ in try await replay.send(request) }) {
                try await provider.begunSession()
            }
            let names = session.values.map(\.name)
            findings.note = names.joined(separator: ", ")
            for missing in subject.manifest.authentication.flatMap(\.sessionNames) where !names.contains(missing) {
                findings.fail(
                    "\(name): found no value \(missing.quoted), expected each that auth names",
                    hint: "return it from session.parse: { values: { \(missing): … } }", location: description.location)
            }
        } catch is UnmatchedRequest {
            return .skipped("no recorded login (cassettes/\(subject.manifest.id))")
        } catch {
            findings.fail(error, during: name, at: description.location)
        }
        return findings
    }
}

/// The errors that the source itself was recorded to give become clear errors.
struct RecordedErrorsCheck: ConformanceCheck {
    let name = "errors of the source are recognized"
    let reason = "Each source reports errors in its own way, often with status 200; users need its reason."

    func findings(on subject: ConformanceSubject) async -> CheckFindings {
        guard !subject.failingCalls.isEmpty else {
            return .skipped("no recorded errors (cassettes/\(subject.manifest.id)/errors.json)")
        }
        var findings = CheckFindings()
        for (call, status) in subject.failingCalls {
            guard case .failure(let error) = await subject.play(call).result else { continue }
            guard let error = error as? ProviderError else {
                findings.fail(error, during: "\(call), recorded with status \(status)")
                continue
            }
            let clear: [ProviderError.Code] = [.auth, .rate, .notFound, .blocked, .unsupported, .changed, .transport]
            guard !clear.contains(error.code) else { continue }
            findings.fail(
                "\(call), recorded with status \(status): found an error of kind \(error.code.rawValue) "
                    + "(\(error.message.quoted)), expected one of auth, rate, notFound, blocked, unsupported, changed",
                hint: "call fail(kind, message) in check if the response reports an error",
                location: error.location,
                path: error.path)
        }
        findings.note = "\(subject.failingCalls.count) recorded errors"
        return findings
    }
}
