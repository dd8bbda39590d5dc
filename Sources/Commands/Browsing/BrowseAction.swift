/// What a key does.
enum BrowseAction: Hashable, Sendable {
    case left, right, up, down
    case pageUp, pageDown, first, last
    case showDetails, back
    case mark, download, open, search
    case quit, interrupt, suspend, redraw
    /// Changes the words that are typed.
    case type(Character), erase, eraseWord, eraseAll, submit

    /// The action of a key where pictures are seen; nil where it has none.
    init?(_ key: Key, in mode: BrowseState.Mode) {
        switch key {
        case .control("c"): self = .interrupt
        case .control("z"): self = .suspend
        case .control("l"): self = .redraw
        default:
            if case .search = mode { self.init(typed: key) } else { self.init(command: key) }
        }
    }

    private init?(command key: Key) {
        switch key {
        case .left, .character("h"): self = .left
        case .right, .character("l"): self = .right
        case .up, .character("k"): self = .up
        case .down, .character("j"): self = .down
        case .pageUp, .control("b"): self = .pageUp
        case .pageDown, .control("f"): self = .pageDown
        case .home, .character("g"): self = .first
        case .end, .character("G"): self = .last
        case .enter: self = .showDetails
        case .escape, .backspace: self = .back
        case .character(" "): self = .mark
        case .character("d"): self = .download
        case .character("o"): self = .open
        case .character("/"): self = .search
        case .character("q"): self = .quit
        default: return nil
        }
    }

    private init?(typed key: Key) {
        switch key {
        case .character(let character): self = .type(character)
        case .backspace: self = .erase
        case .control("w"): self = .eraseWord
        case .control("u"): self = .eraseAll
        case .enter: self = .submit
        case .escape: self = .back
        default: return nil
        }
    }
}
