import HTTPTypes
import LocalDatabase
import ProviderModel

extension LocalDatabaseSchema {
    /// The tables of a cache.
    ///
    /// `meta.total` is what everything together takes, kept by triggers. Whatever is derived from a stored response
    /// goes with it, and with any change of it: so that finding a derived value is one look into one index.
    package static let cache = LocalDatabaseSchema(
        // A row that is missing is a response that is asked for again, and the file may be large.
        steps: [tables + triggers], isCheckedWhenOpened: false)

    private static let tables = """
        CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
        INSERT INTO meta VALUES ('total', 0);
        CREATE TABLE entry (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            generation INTEGER NOT NULL DEFAULT 1,
            target INTEGER NOT NULL,
            identity INTEGER NOT NULL,
            provider TEXT NOT NULL,
            host TEXT NOT NULL,
            url TEXT NOT NULL,
            status INTEGER NOT NULL,
            fields TEXT NOT NULL,
            selection TEXT NOT NULL,
            requested_at REAL NOT NULL,
            received_at REAL NOT NULL,
            fresh_until REAL NOT NULL,
            keep_until REAL,
            used_at REAL NOT NULL,
            on_demand INTEGER NOT NULL,
            part TEXT,
            length INTEGER NOT NULL,
            checksum INTEGER NOT NULL,
            file TEXT,
            cost INTEGER NOT NULL,
            row_checksum INTEGER NOT NULL DEFAULT 0
        );
        CREATE INDEX entry_by_target ON entry (target, identity);
        CREATE INDEX entry_by_use ON entry (used_at);
        CREATE INDEX entry_by_file ON entry (file) WHERE file IS NOT NULL;
        CREATE INDEX entry_by_keep_until ON entry (keep_until) WHERE keep_until IS NOT NULL;
        CREATE TABLE body (entry INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
        CREATE TABLE derived (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            key BLOB NOT NULL UNIQUE,
            fresh_until REAL,
            used_at REAL NOT NULL,
            cost INTEGER NOT NULL,
            checksum INTEGER NOT NULL,
            bytes BLOB NOT NULL
        );
        CREATE INDEX derived_by_use ON derived (used_at);
        CREATE TABLE source (entry INTEGER NOT NULL, derived INTEGER NOT NULL, PRIMARY KEY (entry, derived)) WITHOUT ROWID;
        CREATE INDEX source_by_derived ON source (derived);
        INSERT INTO sqlite_sequence (name, seq) VALUES ('entry', abs(random() % 1000000000000));

        """

    private static let triggers = """
        CREATE TRIGGER entry_added AFTER INSERT ON entry BEGIN
            UPDATE meta SET value = value + new.cost WHERE name = 'total';
        END;
        CREATE TRIGGER entry_resized AFTER UPDATE OF cost ON entry BEGIN
            UPDATE meta SET value = value + new.cost - old.cost WHERE name = 'total';
        END;
        CREATE TRIGGER entry_changed AFTER UPDATE OF generation ON entry BEGIN
            DELETE FROM derived WHERE id IN (SELECT derived FROM source WHERE entry = old.id);
        END;
        CREATE TRIGGER entry_removed AFTER DELETE ON entry BEGIN
            UPDATE meta SET value = value - old.cost WHERE name = 'total';
            DELETE FROM body WHERE entry = old.id;
            DELETE FROM derived WHERE id IN (SELECT derived FROM source WHERE entry = old.id);
        END;
        CREATE TRIGGER derived_added AFTER INSERT ON derived BEGIN
            UPDATE meta SET value = value + new.cost WHERE name = 'total';
        END;
        CREATE TRIGGER derived_removed AFTER DELETE ON derived BEGIN
            UPDATE meta SET value = value - old.cost WHERE name = 'total';
            DELETE FROM source WHERE derived = old.id;
        END;
        """
}

/// Header lines and selections as the database keeps them: one line of text each.
enum StoredText {
    /// `Name: value` lines.
    static func text(of fields: HTTPFields) -> String {
        var text = ""
        for field in fields { text += "\(field.name.rawName): \(field.value)\n" }
        return text
    }

    /// The lines a text was made from.
    static func fields(in text: String) -> HTTPFields {
        var fields = HTTPFields()
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
                let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self))
            else { continue }
            fields.append(HTTPField(name: name, value: String(decoding: line[colon...].dropFirst(2), as: UTF8.self)))
        }
        return fields
    }

    /// `name hash` lines, the hash in hexadecimal, or `-`.
    static func text(of selection: VarySelection) -> String {
        selection.lines.map { "\($0.name) \($0.hash?.hexadecimal ?? "-")" }.joined(separator: "\n")
    }

    /// The selection a text was made from.
    static func selection(in text: String) -> VarySelection {
        guard !text.isEmpty else { return VarySelection() }
        return VarySelection(
            lines: text.split(separator: "\n").map { line in
                let words = line.split(separator: " ")
                let hash = words.count == 2 && words[1] != "-" ? words[1].hexadecimalBytes : nil
                return VarySelection.Line(name: String(words.first ?? ""), hash: hash)
            }
        )
    }
}
