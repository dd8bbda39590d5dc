const { test, expect, run, cassette } = require('imgscript/test');

test('a post has its page on the site, not on the host of the API', () => {
  cassette('search');
  const [post] = run.search('coffee').items;
  expect(post).toMatchObject({
    id: '9880000',
    page: 'https://rule34.xxx/index.php?page=post&s=view&id=9880000',
    tags: ['coffee', 'kettle', 'marlow_finch', 'window'],
    created: '2026-06-01T00:31:15Z',
    stats: { score: 3 },
    rating: 'safe',
    extra: { creator_id: '99500', source: 'https://portfolio.example/works/9000' },
  });
  expect(post.media.map(({ role, width }) => [role, width])).toEqual([
    ['original', 4000], ['large', 850], ['thumbnail', 150],
  ]);
});

test('a film is a video with its stills', () => {
  cassette('search');
  const film = run.search('coffee').items[4];
  expect(film).toHaveProperty('type', 'video');
  expect(film.media.map((file) => file.role)).toEqual(['original', 'large', 'thumbnail']);
});

test('pages are counted', () => {
  cassette('search');
  expect(run.search('coffee').total).toBe(23);
  expect(run.search({ text: 'coffee', page: 2 }).items).toHaveLength(3);
});

test('what is not safe has to be asked for', () => {
  for (const post of run.feed().items) expect(post.rating).toBe('safe');
  expect(run.feed({ params: { rating: 'any' } }).items.map((post) => post.rating)).toEqual(
    ['safe', 'questionable', 'explicit']);
});

test.each([['no key', 'auth'], ['no key json', 'auth'], ['search down', 'unsupported'], ['too fast', 'rate']])(
  '"%s" is %s', (text, kind) => {
    cassette('errors');
    expect(() => run.search(text)).toThrow(kind);
  },
);

test('a user is the tag that finds their posts', () => {
  expect(run.collection('user:quietkettle').items).toHaveLength(3);
  expect(() => run.details('1')).toThrow({ kind: 'notFound', message: 'There is no post 1.' });
  expect(run.search('zzzznothing')).toMatchObject({ items: [], total: 0 });
  expect(run.match('https://rule34.xxx/index.php?page=post&s=view&id=12')).toHaveProperty('id', '12');
});
