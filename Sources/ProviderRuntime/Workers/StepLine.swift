/// Steps that wait for a worker: calls, which end in a request, before answers that are to be read.
///
/// The sooner a request is on its way, the more is read while it is waited for. Calls are few, so nothing waits for ever.
struct StepLine<Step> {
    // No slices: what is taken off one stays in its memory, and a step has the connection whose line this is.
    private var calls: [Step] = []
    private var others: [Step] = []

    /// Puts a step at the end of its kind.
    mutating func add(_ step: Step, isCall: Bool) { if isCall { calls.append(step) } else { others.append(step) } }

    /// The step whose turn it is.
    mutating func takeNext() -> Step? {
        if !calls.isEmpty { return calls.removeFirst() }
        return others.isEmpty ? nil : others.removeFirst()
    }
}
