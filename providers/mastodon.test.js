const { test, describe, beforeEach, expect, run, cassette } = require('imgscript/test');

describe('a hashtag', () => {
  /** @type {import('imgscript').Page} */
  let page;
  beforeEach(() => {
    cassette('search');
    page = run.search('coffee');
  });

  test('gives the images of its posts', () => {
    expect(page.items[0]).toMatchObject({
      id: expect.stringMatching(/^115900000000000000-\d+$/),
      page: 'https://mastodon.social/@marlow/115900000000000000',
      author: { name: 'Marlow Finch', id: 'marlow' },
      tags: expect.arrayContaining(['coffee']),
    });
  });

  test('goes on where the Link header says', () => {
    expect(page.next).toBe('115899999982999949');
    const more = run.search({ text: 'coffee', cursor: page.next });
    expect(more.items.map((image) => image.id)).not.toContain(page.items[0].id);
  });

  test('is one word, however it is typed', () => {
    expect(run.search('#cof fee')).toEqual(page);
  });
});

test('an account is looked up once, then paged', () => {
  cassette('collection');
  const first = run.collection('user:marlow');
  expect(first.next).toMatchObject({ account: '990000000000000001' });
  expect(run.collection('user:marlow', { cursor: first.next }).items.length).toBeGreaterThan(0);
});

test.each([['1', 'notFound'], ['2', 'notFound']])('post %s, which has no image, is %s', (id, kind) => {
  expect(() => run.details(id)).toThrow(kind);
});

test("a post's description is text, its image's alternative text the title", () => {
  expect(run.details('115899999997999994-115000000000000201')).toMatchObject({
    title: 'Hand-drawn chart of grind sizes.',
    description: 'Harvest notes from the hill farm.\n#coffee',
    author: { name: '花江 Orchard', id: 'hanae@fotos.example' },
    created: '2026-09-26T02:10:35.294Z',
    stats: { boosts: 2, likes: 4, replies: 2 },
    media: [{ role: 'original', width: 1200, height: 1200 }, { role: 'small', width: 640, height: 640 }],
  });
});

test("a post's images are a collection", () => {
  expect(run.collection('post:115899999997999994').items).toHaveLength(2);
  expect(run.match('https://mastodon.social/@marlow')).toMatchObject({ id: 'user:marlow', type: 'collection' });
});

test('a server that shows itself to its users alone wants a token', () => {
  cassette('errors');
  expect(() => run.search('closed')).toThrow('auth');
  expect(() => run.search('members')).toThrow({ kind: 'auth', message: expect.stringMatching(/its own users only/) }); // since 4.5
  expect(() => run.search('expired')).toThrow({ kind: 'auth', message: expect.stringMatching(/token is invalid/) });
  expect(() => run.search('ratelimit')).toThrow('rate');
  expect(() => run.collection('user:nobody')).toThrow('notFound');
});

test('only what was posted there', () => {
  expect(run.feed({ params: { local: true } }).items.length).toBeGreaterThan(0);
});

test('trends go on by offset', () => {
  const first = run.feed({ params: { list: 'trends' } });
  expect(first.items.length).toBeGreaterThan(0);
  expect(first.next).toBe('20');
  expect(run.feed({ params: { list: 'trends' }, cursor: first.next }).next).toBeNull();
});

test('a hashtag is a collection', () => {
  expect(run.collection('tag:latte').items.length).toBeGreaterThan(0);
});

test.each([
  ['https://mastodon.social/@anna/media', 'user:anna', 'collection'],
  ['https://mastodon.social/@anna@fotos.example/media', 'user:anna@fotos.example', 'collection'],
  ['https://mastodon.social/@anna/with_replies', 'user:anna', 'collection'],
  ['https://mastodon.social/tags/latte', 'tag:latte', 'collection'],
  ['https://mastodon.social/@anna/115899999997999994', '115899999997999994', 'image'],
])('%s is %s', (url, id, type) => {
  expect(run.match(url)).toMatchObject({ id, type });
});

test('favourites are shown to their owner only', () => {
  expect(run.collection('user:me', { params: { include: 'favorites' } }).items.length).toBeGreaterThan(0);
  expect(() => run.collection('user:marlow', { params: { include: 'all' }, cursor: { name: 'favorites' } })).toThrow('auth');
});
