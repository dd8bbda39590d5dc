const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('a tag', () => {
  cassette('search');

  test('gives posts with artist, rating and every size', () => {
    const [post] = run.search('coffee').items;
    expect(post).toMatchObject({
      id: '99100000',
      page: 'https://danbooru.donmai.us/posts/99100000',
      tags: expect.arrayContaining(['coffee', 'coffee_cup', 'tessera_quill']),
      author: { name: 'tessera quill' },
      created: '2026-05-28T00:15:00.100-04:00',
      stats: { score: 3, favorites: 5, upvotes: 4, downvotes: 1 },
      rating: 'safe',
      extra: { artists: ['tessera_quill'], md5: '85cbd25a95a5a7da99557fc3441bfeff' },
    });
    expect(post.media.slice(0, 3)).toMatchObject([
      { role: 'original', width: 2400, height: 1600, bytes: 400000, format: 'png' },
      { role: 'large', width: 850, height: 567, format: 'jpeg' },
      { role: 'regular', width: 720, height: 480, format: 'webp' },
    ]);
  });

  test('goes on before the last post, also past what is hidden', () => {
    const page = run.search('coffee');
    expect(page.items).toHaveLength(19); // of 20 posts
    expect(page.next).toBe('b99099867');
    const rest = run.search({ text: 'coffee', cursor: page.next });
    expect(rest.items.map((post) => post.id)).not.toContain(page.items[0].id);
    expect(rest.next).toBeNull();
  });
});

test('films and archives of frames say what they are', () => {
  cassette('search');
  const film = run.search('coffee').items.find((post) => post.type === 'video');
  expect(film?.media[0]).toMatchObject({ role: 'original', format: 'mp4' });
  cassette('details');
  const ugoira = run.details('99100777');
  expect(ugoira).toHaveProperty('type', 'animation');
  expect(ugoira.media.map((file) => file.role)).toEqual(['original', 'large', 'thumbnail']);
  expect(ugoira.media[0]).toMatchObject({ type: 'animation', frames: [{ file: '000000.jpg', delay: 800 }, {}, {}] });
});

test('a pool keeps its own order', () => {
  expect(run.collection('pool:99012').items).toHaveLength(4); // asked for as ordpool:99012
  expect(run.match('https://danbooru.donmai.us/pools/99012')).toMatchObject({ id: 'pool:99012', type: 'collection' });
});

test('popular is another list, filtered here by what is wanted', () => {
  for (const post of run.feed({ params: { list: 'popular' } }).items) expect(post.rating).toBe('safe');
});

test.each([
  ['coffee cup steam', 'unsupported', 'You cannot search for more than 2 tags at a time.'],
  ['rate limit', 'rate', 'You\'re doing that too fast'],
  ['much too fast', 'rate', 'The site throttles this client.'],
  ['bad key', 'auth', 'Invalid API key'],
])(`"%s" is an error of kind %s, in Danbooru's words`, (text, kind, message) => {
  cassette('errors');
  expect(() => run.search(text)).toThrow({ kind, message });
});

test('the last page that may be asked for is the end', () => {
  cassette('errors');
  const query = { text: 'deep', params: { order: 'score' }, limit: 1, cursor: 1001 };
  expect(run.search(query)).toEqual({ items: [], next: null });
});

test('a filter before the site is no wrong key', () => {
  cassette('errors');
  expect(() => run.search('challenge')).toThrow({ kind: 'blocked' });
});

test('a post that is not there is notFound', () => {
  expect(() => run.details('1')).toThrow('notFound');
  expect(run.search('zzzznothing')).toEqual({ items: [], next: null });
});

test('posts that look like an image come with how similar they are', () => {
  cassette('similar');
  expect(run.similar().items.map(({ extra }) => extra?.similarity)).toEqual([93.1, 41.7]);
  expect(run.similar({ image: 'https://pictures.example/fox.jpg' }).items).toHaveLength(1);
});

test('the lists of a user follow one another', () => {
  const lists = [];
  let cursor;
  do {
    const page = run.collection('user:anna', { cursor, params: { include: 'gallery,favorites' } });
    lists.push(...page.items.map(({ extra }) => extra?.list));
    cursor = page.next;
  } while (cursor);
  expect(lists).toEqual(['gallery', 'gallery', 'favorites', 'favorites']);
});

test('what is not tagged as generated is left open', () => {
  for (const item of run.search('coffee').items) expect(item).not.toHaveProperty('aiGenerated');
});

describe('conditions', () => {
  test('become words of the search; days count where the site is', () => {
    cassette('search');
    const params = {
      exclude: ['blue sky'], since: '2026-05-01T00:00:00Z', until: '2026-06-01T23:59:59Z', min_width: 1000,
      min_height: 500, shape: 'landscape',
    };
    expect(run.search({ text: 'coffee', params }).items).toHaveLength(3);
  });

  test('are left to the host where a visitor may not search for as many tags', () => {
    cassette('search');
    expect(run.search({ text: 'cup saucer', params: { min_width: 1000 } }).items).toHaveLength(3);
    cassette('errors');
    const message = 'You cannot search for more than 2 tags at a time.';
    expect(() => run.search('a b c')).toThrow({ kind: 'unsupported', message });
  });
});
