const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('a search', () => {
  cassette('search');

  test('gives the picture of each article, with what its own page says', () => {
    const page = run.search('coffee');
    expect(page.items).toHaveLength(17); // of 20 articles: two have no picture, two have the same
    expect(page.items[0]).toMatchObject({
      id: 'File:Lopsided coffee cup.jpg',
      title: 'Lopsided coffee cup',
      page: 'https://commons.wikimedia.org/wiki/File:Lopsided_coffee_cup.jpg',
      author: { name: 'Marlow Finch', url: 'https://commons.wikimedia.org/wiki/User:Marlow_Finch' },
      license: { id: 'cc-by-sa-4.0' },
      extra: { article: 'Coffee cup', article_url: 'https://en.wikipedia.org/wiki/Coffee_cup' },
    });
  });

  test('offers sizes that the server holds ready', () => {
    const [{ media }] = run.search('coffee').items;
    expect(media.map(({ role, width }) => [role, width])).toEqual([
      ['original', 4000], ['large', 1920], ['large', 1280], ['regular', 960], ['small', 500], ['thumbnail', 330],
    ]);
  });

  test('goes on with every member of `continue`', () => {
    const { next } = run.search('coffee');
    expect(next).toEqual({ gsroffset: 20, continue: 'gsroffset||' });
    expect(run.search({ text: 'coffee', cursor: next })).toMatchObject({ next: null });
  });

  test('looks around a point', () => {
    expect(run.search({ text: 'bridge', near: { lat: 52.5, lon: 13.4 } }).items).toHaveLength(1);
  });
});

test('files that Commons lends have no number, and are told apart all the same', () => {
  const { items } = run.collection('page:Coffee');
  expect(items).toHaveLength(4); // without the sound
  expect(items.map((item) => item.media[0].format)).toContain('svg');
});

test('a category is the pictures of its articles', () => {
  expect(run.collection('Category:Coffee').items).toHaveLength(2);
});

test('the newest files are those of the wiki itself', () => {
  const page = run.feed();
  expect(page.items).toHaveLength(4); // without the sound
  for (const item of page.items) expect(item.page).toMatch('https://en.wikipedia.org/wiki/File:');
});

test('a picture that is not free says so', () => {
  const item = run.search('coffee').items.find((file) => file.license?.name === 'Fair use');
  expect(item?.license).toEqual({ id: 'Fair use', name: 'Fair use' });
});

test('errors come with status 200', () => {
  cassette('errors');
  expect(() => run.search('too fast')).toThrow('rate');
  expect(() => run.search('bad "syntax')).toThrow({ kind: 'unsupported' });
  expect(() => run.details('File:Not there.jpg')).toThrow('notFound');
  expect(() => run.search('busy')).toThrow('rate');
  expect(() => run.search('unnamed')).toThrow({ kind: 'blocked', message: expect.stringMatching(/^en\.wikipedia\.org wants to know/) });
});

test('nothing found has no `query` at all', () => {
  expect(run.search('zzzznothing')).toEqual({ items: [], next: null });
});

test.each([
  ['https://en.wikipedia.org/wiki/File:Cup.jpg', 'File:Cup.jpg', 'image'],
  ['https://en.wikipedia.org/wiki/Category:Coffee', 'Category:Coffee', 'collection'],
  ['https://en.wikipedia.org/wiki/Coffee_cup', 'page:Coffee_cup', 'collection'],
  ['page:Coffee', 'page:Coffee', 'collection'],
])('%s is %s', (address, id, type) => {
  expect(run.match(address)).toMatchObject({ id, type });
});
