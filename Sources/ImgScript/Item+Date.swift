import FoundationEssentials
import ProviderModel

extension Item {
    /// The point in time of ``created``, in UTC where it has no zone; nil where it is not known to the day.
    public var creationDate: Date? {
        created.flatMap { DateTime(iso8601: $0) }.map { Date(timeIntervalSince1970: Double($0.secondsSince1970)) }
    }
}
