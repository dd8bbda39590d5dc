import ProviderModel

extension ProviderError {
    /// A limit that opens later than anybody wants to wait for.
    init(waitingFor opening: NextSlot, _ wait: Duration, provider: ProviderID, now: Timestamp, time: WallTime) {
        let limit =
            switch opening.reason {
            case .rate(let rate): "the limit of \(rate.sentence) is used up"
            case .refusal: "the server refused more requests for now"
            case .quota: "the server's own limit is used up"
            case .queue, nil: "too many requests are waiting already"
            }
        self.init(
            .rate,
            provider: provider.description,
            message: "\(limit); the next request may go at \(time.text(of: opening.moment, now: now)), "
                + "in \(wait.inWords)",
            hint: "try again then, allow longer waits, or use a key for which the source allows more"
        )
    }
}
