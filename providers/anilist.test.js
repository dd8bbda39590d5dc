const { test, expect, run, cassette } = require('imgscript/test');

test('a work is its cover, in three sizes, and says what it is of', () => {
  cassette('search');
  const [, cover] = run.search('coffee').items;
  expect(cover).toMatchObject({
    id: '990001',
    title: 'Siphon no Mahō',
    description: 'Invented: the story of Siphon no Mahō.\n\nSecond paragraph.',
    page: 'https://anilist.co/anime/990001',
    tags: ['Comedy'],
    author: { name: 'Studio Invented', url: 'https://anilist.co/studio/99000' },
    created: '2002-04-05',
    colors: ['#e4a15d'],
    stats: { likes: 295, popularity: 8900 },
    rating: 'safe',
    extra: { type: 'ANIME', format: 'MOVIE', averageScore: 61 },
  });
  expect(cover.media.map((file) => file.role)).toEqual(['large', 'regular', 'small']);
});

test('a banner is an image of its own', () => {
  const cover = run.details('990001');
  const banner = run.details('990001-banner');
  expect(banner).toMatchObject({ title: `${cover.title} (banner)`, page: cover.page, media: [{ role: 'original' }] });
  expect(banner.media[0].url).not.toBe(cover.media[0].url);
});

test('a date of which only the year is known is that year', () => {
  expect(run.details('990000').created).toBe('2001');
});

test('the query goes on by page, in its variables, until there is no next one', () => {
  expect(run.search({ text: 'coffee', page: 1 })).not.toHaveProperty('next');
  expect(run.search({ text: 'coffee', page: 2 }).next).toBeNull();
});

test('filters become variables', () => {
  const params = { sort: 'POPULARITY_DESC', type: 'MANGA', genre_in: ['Drama', 'Slice of Life'] };
  expect(run.feed({ params }).items[0].extra).toMatchObject({ type: 'MANGA' });
});

test.each([['rate limit', 'rate'], ['bad variable', 'unsupported']])('errors[] of "%s" is of kind %s', (text, kind) => {
  cassette('errors');
  expect(() => run.search(text)).toThrow(kind);
});

test.each([
  ['manual block', 'blocked'], ['firewall', 'blocked'], ['suspended', 'blocked'], ['bad token', 'auth'],
])('"%s" is %s', (text, kind) => {
  cassette('errors');
  expect(() => run.search(text)).toThrow(kind);
});

test('who is refused is told that a token passes', () => {
  cassette('errors');
  expect(() => run.search('suspended')).toThrow(/temporarily disabled .* A token passes/);
});

test("a work that is not there is notFound, in AniList's words", () => {
  expect(() => run.details('1')).toThrow({ kind: 'notFound', message: 'Not Found.' });
});

test('a page of the site is a work', () => {
  expect(run.match('https://anilist.co/manga/30013/One-Piece/')).toMatchObject({ id: '30013', type: 'image' });
});
