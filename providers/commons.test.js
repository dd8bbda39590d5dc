const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  cassette('search');

  test('a page comes in parts and is whole when Commons says so', () => {
    const page = run.search('coffee');
    expect(page.items).toHaveLength(20); // of two answers
    expect(page.next).toEqual({ gsroffset: 20, continue: 'gsroffset||' });
    for (const file of page.items) expect(file.media.length).toBeGreaterThan(0);
  });

  test('every member of `continue` is sent back', () => {
    const { next } = run.search('coffee');
    expect(run.search({ text: 'coffee', cursor: next }).next).toBeNull();
  });

  test('what Commons has as HTML is text', () => {
    const [, latte] = run.search('coffee').items;
    expect(latte).toMatchObject({
      id: 'File:Latte with a lopsided heart.jpg',
      title: 'Latte with a lopsided heart',
      description: 'Latte with a lopsided heart, photographed at an invented place.',
      page: 'https://commons.wikimedia.org/wiki/File:Latte_with_a_lopsided_heart.jpg',
      tags: expect.arrayContaining(['Coffee pots (example)', 'Latte']),
      author: { name: 'Petra Mustermann', url: 'https://commons.wikimedia.org/wiki/User:Petra_Mustermann' },
      license: { id: 'cc0-1.0' },
      created: '2021-05-02T07:58:31',
      location: { latitude: -12.0037, longitude: -77.0053 },
      extra: { Credit: 'Own work', user: 'Petra Mustermann' },
    });
  });

  test('sizes that Commons holds ready are offered, where the original is larger', () => {
    const [{ media }] = run.search('coffee').items;
    expect(media.map(({ role, width }) => [role, width])).toEqual([
      ['original', 4000], ['large', 1920], ['large', 1280], ['regular', 960], ['small', 500], ['thumbnail', 330],
    ]);
    expect(media[0]).toMatchObject({ height: 3000, bytes: 2400000, format: 'jpeg' });
    expect(media[0].url).toMatch(/^https:\/\/upload\.wikimedia\.org\//);
    expect(media[1].url).toMatch(/^https:\/\/thumb\.wikimedia\.org\/.*\/1920px-[^?]*$/);
  });
});

test('a licence without a page is named all the same', () => {
  const { items } = run.collection('Category:Featured pictures on Wikimedia Commons');
  expect(items[0].license).toEqual({ id: 'public-domain', name: 'Public domain' });
});

test('a category and a user are collections', () => {
  expect(run.collection('Category:Coffee pots (example)').items).toHaveLength(3);
  expect(run.collection('User:Odalys Fernwick').items).toHaveLength(3);
  expect(run.match('https://commons.wikimedia.org/wiki/Category:Coffee')).toHaveProperty('type', 'collection');
  expect(run.match('User:Anna')).toMatchObject({ id: 'User:Anna', type: 'collection' });
});

test('lists that people vote on are categories', () => {
  expect(run.feed({ params: { list: 'featured' } }).items).toHaveLength(4);
});

test('sounds, films and books are no images', () => {
  const sounds = run.collection('Category:Coffee sounds (example)');
  expect(sounds.items).toEqual([]); // .ogg and .webm
  const { items, next } = run.collection('Category:Coffee sounds (example)', { cursor: sounds.next });
  expect(items.map((file) => file.id)).toEqual(['File:Kettle in winter light.jpg', 'File:Steam, drawn.svg']);
  expect(next).toBeNull();
  cassette('errors');
  const message = 'File:Kettle singing.ogg is application/ogg (expected an image).';
  expect(() => run.details('File:Kettle singing.ogg')).toThrow({ kind: 'unsupported', message });
});

test.each([
  ['https://commons.m.wikimedia.org/wiki/File:Cup.jpg', 'File:Cup.jpg'],
  ['https://commons.wikimedia.org/w/index.php?title=File:Cup.jpg&oldid=7', 'File:Cup.jpg'],
  ['https://commons.wikimedia.org/w/index.php?title=Category:Cups', 'Category:Cups'],
  ['https://commons.m.wikimedia.org/w/index.php?title=User:Anna', 'User:Anna'],
  ['https://upload.wikimedia.org/wikipedia/commons/a/ab/Cup.jpg', 'File:Cup.jpg'],
  ['https://upload.wikimedia.org/wikipedia/commons/thumb/a/ab/Cup.jpg/330px-Cup.jpg', 'File:Cup.jpg'],
  ['https://thumb.wikimedia.org/wikipedia/commons/thumb/a/ab/Cup.jpg/960px-Cup.jpg?utm_source=w', 'File:Cup.jpg'],
])('%s is %s', (url, id) => {
  expect(run.match(url)).toHaveProperty('id', id);
});

test('errors come with status 200', () => {
  cassette('errors');
  expect(() => run.search('too fast')).toThrow('rate');
  expect(() => run.search('bad "syntax')).toThrow(/^The search query could not be read\. \(cirrussearch-parse-error\)/);
  expect(() => run.details('File:Not there.jpg')).toThrow('notFound');
});

test('a search that is too busy is no fault of the query, and a program without a contact is told so', () => {
  cassette('errors');
  expect(() => run.search('busy')).toThrow('rate');
  expect(() => run.search('broken')).not.toThrow('unsupported');
  const message = expect.stringMatching(/^commons\.wikimedia\.org wants to know whom to write to: .*setting "contact"/);
  expect(() => run.search('unnamed')).toThrow({ kind: 'blocked', message });
});

test('nothing found has no `query` at all', () => {
  expect(run.search('zzzznothing')).toEqual({ items: [], next: null });
});
