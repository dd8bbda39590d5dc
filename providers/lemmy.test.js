const { test, expect, run, cassette } = require('imgscript/test');

test('posts without a picture are left out, and the listing goes on', () => {
  const page = run.search('coffee');
  expect(page.items).toHaveLength(15); // of 20 posts; two are links, three are texts
  expect(page.next).toBe(2);
});

test('a post has its community, and its author by their server', () => {
  expect(run.search('coffee').items[1]).toMatchObject({
    title: 'Latte with a lopsided heart',
    alt: 'An invented picture',
    page: 'https://lemmy.world/post/9900001',
    author: { name: 'Petra Mustermann', id: 'petra@lemmy.world', url: 'https://lemmy.world/u/petra' },
    created: '2026-05-02T10:00:00Z',
    stats: { score: 11, comments: 1 },
    media: [{ role: 'original', width: 1600, height: 1200, format: 'jpeg' }, { role: 'small' }],
    extra: { community: 'pics@lemmy.world' },
  });
});

test("pictures in a post's text are further files, and no part of its description", () => {
  const post = run.details('9900002');
  expect(post.description).toBe('Two more\n\nand\n\nFrom my holidays.');
  expect(post.media.map(({ file, role }) => [file, role])).toEqual([
    [1, 'original'], [1, 'small'], [2, 'original'], [3, 'original'],
  ]);
});

test('a time without a zone is UTC', () => {
  expect(run.collection('user:marlow').items[1].created).toBe('2023-06-12T10:00:00Z');
});

test.each([['rate limit', 'rate'], ['private server', 'auth']])('“%s” is an error of kind %s', (text, kind) => {
  cassette('errors');
  expect(() => run.search(text)).toThrow(kind);
});

test('a post that is not there, or has no picture, is notFound', () => {
  expect(() => run.details('1')).toThrow('notFound');
  expect(() => run.details('9900003')).toThrow('notFound');
});
