import Dispatch
import Synchronization

/// Steps of talking to one worker, one at a time: calls first, else in the order asked.
///
/// Steps block a thread of the queue's own, so that no thread of the Swift runtime does: a script that runs to its
/// deadline holds up nobody. Only a step that is over in a moment is done by whoever asks for it.
final class StepQueue: Sendable {
    /// What is done on the queue; it gives what is done once others may go on.
    typealias Step = @Sendable () -> Ending?
    typealias Ending = @Sendable () -> Void

    /// What waits for the queue.
    private struct Waiting {
        var steps = StepLine<Step>()
        /// Blocks that are on the queue, the one that runs among them, and those held back.
        var blocks = 0
        /// Blocks held back while a step is done without the queue; nil at all other times.
        var held: [Step]?
    }

    private let queue = DispatchQueue(label: "imgscript-worker")
    private let waiting = Mutex(Waiting())

    /// Puts a step at the end.
    func add(_ step: @escaping Step) { waiting.withLock { enqueue(step, in: &$0) } }

    /// Puts a step at the end of its kind.
    func add(_ step: @escaping Step, isCall: Bool) {
        waiting.withLock { waiting in
            waiting.steps.add(step, isCall: isCall)
            enqueue({ self.waiting.withLock { $0.steps.takeNext() }?() }, in: &waiting)
        }
    }

    /// Holds back all steps until `release`, where none is under way or waits and `condition` holds.
    ///
    /// Until then the caller's thread has what else only the queue's has.
    func hold(if condition: () -> Bool) -> Bool {
        waiting.withLock { waiting in
            guard waiting.blocks == 0, waiting.held == nil, condition() else { return false }
            waiting.held = []
            return true
        }
    }

    /// Lets the queue go on, with the rest of the step that has begun where it is not over.
    func release(_ rest: Step? = nil) {
        waiting.withLock { waiting in
            let held = waiting.held ?? []
            waiting.held = nil
            if let rest { enqueue(rest, in: &waiting) }
            for step in held { put(step) }
        }
    }

    private func enqueue(_ step: @escaping Step, in waiting: inout Waiting) {
        waiting.blocks += 1
        if waiting.held != nil { waiting.held?.append(step) } else { put(step) }
    }

    private func put(_ step: @escaping Step) {
        queue.async {
            let end = step()
            // First: who is told may have the next message ready at once.
            self.waiting.withLock { $0.blocks -= 1 }
            end?()
        }
    }
}
