const { fail } = require('imgscript');
const { entries, next } = require('./feed-theme');
const { chosen, include, inTurn } = require('./lists-theme');

const LISTS = ['gallery', 'favorites'];

/** @type {import('imgscript').Provider} */
module.exports = {
  contract: 1,
  id: 'deviantart-feed',
  name: 'DeviantArt feeds',
  version: '1.0.0',
  homepage: 'https://www.deviantart.com/',
  summary: 'Drawings, paintings and photographs by a large community of artists, without a key.',
  category: 'art',
  base: 'https://backend.deviantart.com',
  hosts: ['backend.deviantart.com'],
  mediaHosts: ['*.wixmp.com', '*.deviantart.net'],
  limits: { pageSize: { min: 60, max: 60, default: 60 }, rate: ['1/1s'] },
  terms: {
    url: 'https://www.deviantart.com/about/policy/service/',
    license: 'As each artist says',
    attribution: '“{title}” by {author.name} on DeviantArt',
  },
  paging: 'cursor',

  search: {
    newestFirst: { sort: ['newest'] },
    params: { sort: { type: 'choice', values: ['newest', 'popular'], default: 'popular' } },
    request: (q) => list(q.params.sort === 'popular' ? `boost:popular ${q.text}` : `sort:time ${q.text}`, q),
    parse,
  },
  feed: { request: (q) => list('boost:popular', q), parse },
  // `user:anna`, `favourites:anna`
  collection: {
    params: include(LISTS),
    *run(item, q) {
      const [kind, name] = item.id.split(/:(.*)/s);
      const names = kind === 'favourites' ? ['favorites'] : chosen(q, LISTS);
      return yield* inTurn(names, q, function* part(which, page) {
        return parse(yield list(`${which === 'gallery' ? 'gallery' : 'favby'}:${name}`, page));
      });
    },
  },

  match: ['user', 'favourites'].map((kind) => (
    { pattern: `${kind}:{name}`, item: { id: `${kind}:{name}`, type: /** @type {const} */ ('collection') } })),
};

/** @param {string} text @param {import('imgscript').Query} q @returns {import('imgscript').Request} */
function list(text, { cursor: offset = 0 }) {
  return { url: '/rss.xml', query: { type: 'deviation', q: text, offset }, accept: 'xml' };
}

/** @param {import('imgscript').Response} res */
function parse(res) {
  const following = next(res);
  const shown = entries(res).filter(({ media }) => media.some((file) => file.role === 'original')); // not literature
  if (!shown.length && res.xml.querySelector('item')) fail('changed', 'No entry has a picture.');
  const items = shown.map((entry) => (
    { ...entry, id: /-(\d+)$/.exec(entry.page ?? '')?.[1] ?? fail('changed', `no number in ${entry.page}`) }));
  return { items, next: following && Number(new URL(following).searchParams.get('offset')) };
}
