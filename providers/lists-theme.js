/**
 * The parameter that chooses among the lists of a user, as people know it from gallery-dl: `include=gallery,favorites`.
 * @param {string[]} names the first is what a user's page leads to
 * @returns {{ include: import('imgscript').Parameter }}
 */
exports.include = (names) => ({
  include: { type: 'list', values: [...names, 'all'], default: [names[0]], help: 'Which lists of a user.' },
});

/** @param {import('imgscript').Query} q @param {string[]} names all there are */
exports.chosen = ({ params: { include } }, names) => {
  const wanted = include ?? [names[0]];
  return wanted.includes('all') ? names : names.filter((name) => wanted.includes(name));
};

/**
 * One list after the other, each by its own cursors. What is in several is left out by the host.
 * @param {string[]} names @param {import('imgscript').Query} q
 * @param {(name: string, q: import('imgscript').Query) => Generator<any, any, any>} list
 * @returns {Generator<any, import('imgscript').Page, any>}
 */
exports.inTurn = function* inTurn(names, q, list) {
  if (names.length === 1) return yield* list(names[0], q);
  const { name = names[0], after } = q.cursor ?? {};
  const { items, next } = yield* list(name, { ...q, cursor: after });
  const following = names[names.indexOf(name) + 1];
  const marked = items.map((item) => ({ ...item, extra: { ...item.extra, list: name } }));
  if (next !== null && next !== undefined) return { items: marked, next: { name, after: next } };
  return { items: marked, next: following ? { name: following } : null };
};

/**
 * One list after the other where the host counts: the pages of each follow those of the list before it, whose length
 * the source says.
 * @param {string[]} names @param {import('imgscript').Query} q
 * @param {(name: string, q: import('imgscript').Query) => Generator<any, any, any>} list
 * @returns {Generator<any, import('imgscript').Page, any>}
 */
exports.pagesInTurn = function* pagesInTurn(names, q, list) {
  if (names.length === 1) return yield* list(names[0], q);
  let before = 0; // pages of the lists before
  for (const name of names) {
    const { items, total } = yield* list(name, { ...q, page: q.page - before, offset: q.offset - before * q.limit });
    if (items.length) return { items: items.map((item) => ({ ...item, extra: { ...item.extra, list: name } })) };
    before += Math.ceil((total ?? 0) / q.limit);
  }
  return { items: [], next: null };
};
