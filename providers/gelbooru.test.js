const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('a tag', () => {
  cassette('search');

  test('gives posts, whose fields are elements', () => {
    const [post] = run.search('coffee').items;
    expect(post).toMatchObject({
      id: '99810000',
      page: 'https://gelbooru.com/index.php?page=post&s=view&id=99810000',
      tags: expect.arrayContaining(['coffee', 'cafe', 'hanae_orchard']),
      author: { name: 'ferncombe', id: '99500' }, // who posted it
      created: '2026-06-01T05:31:15Z',
      stats: { score: 0 },
      rating: 'safe',
      extra: { source: 'https://portfolio.example/works/9000' },
    });
    expect(post.media).toMatchObject([
      { role: 'original', width: 2400, height: 1600, format: 'jpeg' },
      { role: 'large', width: 850, height: 567 },
      { role: 'thumbnail', width: 250, height: 167 },
    ]);
  });

  test('is paged: the second page is number 1 there', () => {
    expect(run.search('coffee')).toMatchObject({ total: 24 });
    expect(run.search({ text: 'coffee', page: 2 }).items).toHaveLength(4);
  });
});

test('a post is found by its number; only some have a title', () => {
  expect(run.details('99809980')).toMatchObject({ title: 'Second cup', tags: ['coffee', 'chalkboard', 'menu'] });
  expect(() => run.details('1')).toThrow('notFound');
});

test('a user is the tag that finds their posts', () => {
  expect(run.collection('user:quietkettle').items).toHaveLength(3);
});

test.each([
  ['too deep', 'unsupported', 'Too deep! Pull it back some.'],
  ['abuse', 'rate', 'Search error: API limited due to abuse.'],
  ['no key', 'auth', /^Missing authentication/],
  ['text key', 'auth', /^Missing authentication/],
  ['refused key', 'auth', /^Missing authentication/],
  ['very far', 'unsupported', /^The site does not list posts as far down/],
])('an error as 200, after "%s", is of kind %s', (text, kind, message) => {
  cassette('errors');
  expect(() => run.search(text)).toThrow(kind);
  expect(() => run.search(text)).toThrow(message);
});

test('nothing found is an empty page', () => {
  expect(run.search('zzzznothing')).toMatchObject({ items: [], total: 0 });
});

test('a page of the site is a post', () => {
  expect(run.match('https://gelbooru.com/index.php?page=post&s=view&id=12')).toHaveProperty('id', '12');
});
