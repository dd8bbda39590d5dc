const { test, expect, run, cassette } = require('imgscript/test');

// Any server: samples are of one that is invented. What the software says is told in konachan.test.js.
test('posts have the addresses of the server that was asked', () => {
  cassette('search');
  const page = run.search('coffee');
  expect(page.total).toBe(24);
  expect(page.items[0]).toMatchObject({
    id: '9910000',
    page: 'https://moebooru.example/post/show/9910000',
    rating: 'safe',
  });
  expect(page.items[0].media[0].url).toMatch(/^https:\/\/moebooru\.example\/image\//);
});

test('a page of that server is a post', () => {
  expect(run.match('https://moebooru.example/post/show/9910000')).toHaveProperty('id', '9910000');
});

test('a pool and a user are collections', () => {
  expect(run.collection('pool:99077').items).toHaveLength(3);
  expect(run.match('user:anna')).toMatchObject({ id: 'user:anna', type: 'collection' });
});

test.each([['rate limit', 'rate'], ['closed', 'blocked']])('"%s" is an error of kind %s', (text, kind) => {
  expect(() => run.search(text)).toThrow(kind);
});

test('what is popular comes on one page', () => {
  const page = run.feed({ params: { list: 'popular' } });
  expect(page).toMatchObject({ next: null });
  expect(page.items.map((post) => post.id)).toContain('9911850');
});

test('Danbooru 1 has its lists at /post/index', () => {
  expect(run.search('hat')).toMatchObject({ total: 4 });
  expect(run.details('9800001').id).toBe('9800001');
  const list = run.match('https://moebooru.example/post/index?tags=hat');
  expect(list).toMatchObject({ id: 'tags:hat', type: 'collection' });
  expect(run.match('https://moebooru.example/post?tags=hat+cat')).toHaveProperty('id', 'tags:hat cat');
  expect(run.collection('tags:hat').items).toEqual(run.search('hat').items);
});

test('the pages of a user’s favourites follow those of their posts', () => {
  const params = { include: 'gallery,favorites' };
  const [own, liked] = [1, 2].map((page) => run.collection('user:anna', { page, params }).items);
  expect(own.map(({ extra }) => extra?.list)).toEqual(['gallery']);
  expect(liked.map(({ extra }) => extra?.list)).toEqual(['favorites']);
  expect(run.collection('user:anna', { page: 3, params }).items).toEqual([]);
});
