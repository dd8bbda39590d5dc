/// The scripts of the bench's providers, whose names say in what they go wrong; `loop` and `many` are right.
enum OptionProvider {
    /// Those that go wrong in what an option is about.
    static let faulty = ["time", "memory", "requests", "body", "odd"]
    /// Those whose servers go wrong.
    static let unreachable = ["busy", "mute"]

    /// A provider's script; without a port it is for software that runs on many servers.
    static func script(_ name: String, port: UInt16?) -> String {
        let server = port.map {
            "base: 'http://127.0.0.1:\($0)', hosts: ['http://127.0.0.1'], mediaHosts: ['http://127.0.0.1']"
        }
        return """
            const spoil = () => {
              if ('\(name)' === 'time') for (const end = Date.now() + 5000; Date.now() < end;);
              if ('\(name)' === 'memory') for (const held = []; ;) held.push(new Array(100000).fill(held.length));
            };
            const request = (id, q) => ({ url: `/api/\(name)/${id}`, query: q && {
              page: q.page, per_page: q.limit, kind: q.params.kind, near: q.near && `${q.near.lat},${q.near.lon}` } });
            const item = ({ provider, ...image }) => ({ ...image, alt: '\(name)' === 'odd' ? 5 : undefined });
            function* answer(id, q) {
              const res = yield request(id, q);
              if ('\(name)' === 'requests') yield request(id, q);
              spoil();
              return res.json;
            }
            function* page(q) {
              const found = yield* answer('list', q);
              return { total: found.total, items: found.items.map(item) };
            }
            const about = { params: { kind: { type: 'string' } }, near: true };
            module.exports = {
              contract: 1, id: '\(name)', name: '\(name)', version: '1.0.0',
              \(server ?? "instance: { help: 'A server.' }, hosts: ['{instance}'], mediaHosts: ['{instance}']"),
              auth: { type: 'cookies', needs: [], optional: true },
              limits: { pageSize: { max: 8, default: 8 } },
              search: { ...about, *run(q) { return yield* page(q); } },
              feed: { ...about, *run(q) { return yield* page(q); } },
              collection: { ...about, *run(collection, q) { return yield* page(q); } },
              details: { *run(image) { return item(yield* answer(image.id)); } },
              match: [{ pattern: 'album', item: { id: 'album', type: 'collection' } },
                      { pattern: '\(port.map { "http://127.0.0.1:\($0)" } ?? "{instance}")/\(name)/{id}', item: { id: '{id}' } }],
            };
            """
    }
}
