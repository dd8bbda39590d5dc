import ProviderModel
import Synchronization

/// The reason for which an input is left out of a download though nothing is wrong with it.
public enum Exclusion: String, Hashable, Sendable, CaseIterable {
    /// The image does not meet the filter, or its source does not say whether it does.
    case filter
    /// Nothing but the URL of the file is known, and the filter asks for more.
    case unknownFile = "unknown-file"
    /// As many images of the provider as are wanted came before.
    case limit
    /// The image's place is not in the range that is wanted.
    case range
}

/// Which of a run's inputs are wanted; of a collection's images its listing decides.
package struct InputChoice: Sendable {
    /// Why an image is left out by its facts; nil for one that is wanted.
    package var exclusionOfImage: @Sendable (Item) -> Exclusion? = { _ in nil }
    /// Why the file at a URL is left out; nil for one that is wanted.
    package var exclusionOfFile: @Sendable (WebURL) -> Exclusion? = { _ in nil }
    /// The maximum number of images of a provider; nil for all.
    package var limit: @Sendable (ProviderID) -> Int? = { _ in nil }
    /// Whether the image at a place among those of its provider, counted from 1, is wanted.
    package var isWanted: @Sendable (Int) -> Bool = { _ in true }

    /// A choice of everything.
    package init() {}
}

/// Counts the images of each provider up to the limits of a choice.
final class ImageCounter: Sendable {
    private let limit: @Sendable (ProviderID) -> Int?
    private let isWanted: @Sendable (Int) -> Bool
    private let counts = Mutex<[ProviderID: Int]>([:])

    init(_ choice: InputChoice) { (limit, isWanted) = (choice.limit, choice.isWanted) }

    /// Whether as many images as are wanted have been counted.
    func isFull(_ provider: ProviderID) -> Bool {
        guard let limit = limit(provider) else { return false }
        return counts.withLock { $0[provider, default: 0] } >= limit
    }

    /// Counts one more image, unless there are enough; returns why it is left out, or nil.
    func exclusion(of provider: ProviderID) -> Exclusion? {
        let limit = limit(provider)
        return counts.withLock { counts in
            guard counts[provider, default: 0] < limit ?? .max else { return .limit }
            counts[provider, default: 0] += 1
            return isWanted(counts[provider, default: 0]) ? nil : .range
        }
    }
}
