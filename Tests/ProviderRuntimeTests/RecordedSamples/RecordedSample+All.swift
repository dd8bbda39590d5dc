extension RecordedSample {
    /// What the recorded answers of all shipped providers say.
    static let all = unsplash + pixabay + itunes + openverse + flickr + boards + cursors + feeds + museums + photographs
}
