const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('a search', () => {
  cassette('search');

  test('gives the images of posts, with who posted them', () => {
    expect(run.search('coffee').items[0]).toMatchObject({
      id: expect.stringMatching(/^did:plc:\w+\/3l\w+\/1$/),
      title: 'Lopsided coffee cup',
      description: 'Lopsided coffee cup today. #coffee',
      page: expect.stringMatching(/^https:\/\/bsky\.app\/profile\/marlowfinch\.example\/post\/3l\w+$/),
      tags: ['coffee'],
      author: { name: 'Marlow Finch', id: 'marlowfinch.example' },
      created: '2026-05-01T08:15:00.000Z',
      stats: { likes: 10, reposts: 0, replies: 0, quotes: 0 },
      media: [{ role: 'original', width: 2000, height: 1500 }, { role: 'thumbnail' }],
    });
  });

  test('reads several images, galleries, and images beside a quoted post; links are none', () => {
    const { items } = run.search('coffee');
    expect(items).toHaveLength(21); // of 20 posts, two without: one has two images, one three
    expect(items[2].id).toMatch(/\/2$/);
    expect(items[2].media[0]).not.toHaveProperty('width'); // 16 and 9 are no pixels
  });

  test('says what a post is labelled as', () => {
    const post = run.search('coffee').items.find((item) => item.extra?.labels.length);
    expect(post).toMatchObject({ rating: 'questionable', extra: { labels: ['nudity', 'sexual'] } });
  });

  test('goes on with the cursor', () => {
    expect(run.search({ text: 'coffee', cursor: run.search('coffee').next })).toMatchObject({ next: null });
  });
});

test('a feed has a post once, though it comes twice', () => {
  cassette('feed');
  const page = run.feed();
  expect(page.items).toHaveLength(6);
  expect(run.feed({ cursor: page.next }).items).toHaveLength(2);
  expect(run.feed({ params: { feed: 'marlowfinch.example/birds' } }).items).toHaveLength(3);
});

test('an account is looked up once, and what it passes on is left out', () => {
  cassette('collection');
  const page = run.collection('user:marlowfinch.example');
  expect(page.items).toHaveLength(4);
  expect(page.next).toMatchObject({ account: 'did:plc:6793debf293a37ad07222a81' });
  expect(run.collection('user:marlowfinch.example', { cursor: page.next }).items).toHaveLength(2);
  expect(run.collection('list:did:plc:6793debf293a37ad07222a81/3kabc').items).toHaveLength(2);
  expect(run.collection('post:did:plc:dc9427c51286010f8c3a2dfc/3l7c67243f952').items).toHaveLength(3);
});

test('one image of a post has its number; a page of the site means the first', () => {
  const id = 'did:plc:6e6494ce1ccd995c6356a863/3l21b92c82a4e';
  expect(run.details(`${id}/2`).id).toBe(`${id}/2`);
  expect(run.details('odalysfernwick.example/3l21b92c82a4e').id).toBe(`${id}/1`);
});

test('errors are of their kinds', () => {
  cassette('errors');
  const message = 'A search needs a token; accounts, feeds and lists do not.';
  expect(() => run.search('no token')).toThrow({ kind: 'auth', message });
  expect(() => run.search('old token')).toThrow('auth');
  expect(() => run.search('too fast')).toThrow('rate');
  expect(() => run.collection('user:nobody.example')).toThrow('notFound');
  expect(() => run.collection('user:did:plc:gone')).toThrow('blocked');
  expect(() => run.details('did:plc:none/3kzzz/1')).toThrow('notFound');
});

test.each([
  ['https://bsky.app/profile/anna.example/post/3kabc', 'anna.example/3kabc', 'image'],
  ['https://bsky.app/profile/anna.example', 'user:anna.example', 'collection'],
  ['https://bsky.app/profile/anna.example/feed/birds', 'feed:anna.example/birds', 'collection'],
  ['https://bsky.app/profile/anna.example/lists/3kabc', 'list:anna.example/3kabc', 'collection'],
])('%s is %s', (address, id, type) => {
  expect(run.match(address)).toMatchObject({ id, type });
});

test('nothing found is an empty page', () => {
  expect(run.search('zzzznothing')).toEqual({ items: [], next: null });
});

test('what an account likes lies on its own server', () => {
  const { items } = run.collection('user:both.example', { params: { include: 'favorites' } });
  expect(items.length).toBeGreaterThan(0);
});
