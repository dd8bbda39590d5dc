const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  test('a cover comes in more sizes than the answer names', () => {
    cassette('search');
    const [song] = run.search('coffee').items;
    expect(song).toMatchObject({ id: '9900003001', title: 'Second Cup', author: { name: 'Odalys Fernwick' } });
    const widest = song.media.find((file) => file.role === 'large');
    expect(widest?.url).toMatch(/\/1200x1200bb\.jpg$/);
    expect(song.extra).toHaveProperty('collectionName', 'Percolate');
  });

  test('books are found by entity, which media alone does not do', () => {
    cassette('search'); // entity=ebook, without media
    const [book] = run.search({ text: 'coffee', params: { media: 'ebook' } }).items;
    expect(book).toMatchObject({ title: 'The Invented Book of Cups', extra: { kind: 'ebook' } });
    expect(run.search({ text: 'coffee', params: { entity: 'ebook' } }).items).toEqual([book]);
  });

  test('nothing found is an empty page', () => {
    expect(run.search('zzzznothing').items).toEqual([]);
  });

  test('a store that does not exist is said to be none', () => {
    cassette('errors');
    expect(() => run.search({ text: 'bad country', params: { country: 'ZZ' } })).toThrow('unsupported');
    expect(() => run.search('rate limit')).toThrow('rate');
    expect(() => run.details('1')).toThrow('The store has nothing with id 1.');
  });
});

test('an artist is a collection of works, without the artist', () => {
  const { items } = run.collection('9900000103');
  expect(items).not.toContainEqual(expect.objectContaining({ id: '9900000103' }));
  expect(items.map(({ title, created }) => ({ title, created }))).toMatchSnapshot();
});

test.each([
  ['https://apps.apple.com/us/app/grinder/id9900003007', '9900003007', 'image'],
  ['https://apps.apple.com/us/app/id9900003007', '9900003007', 'image'],
  ['https://apps.apple.com/app/id9900003007', '9900003007', 'image'],
  ['https://music.apple.com/us/album/9900002003', '9900002003', 'image'],
  ['https://music.apple.com/album/9900002003', '9900002003', 'image'],
  ['https://music.apple.com/us/album/percolate/9900002001?i=9900003001', '9900003001', 'image'],
  ['https://music.apple.com/us/song/second-cup/9900003001', '9900003001', 'image'],
  ['https://music.apple.com/gb/artist/9900000103', '9900000103', 'collection'],
  ['https://podcasts.apple.com/us/podcast/id9900004001', '9900004001', 'image'],
  ['https://books.apple.com/us/book/id9900005001', '9900005001', 'image'],
  ['https://itunes.apple.com/us/artist/the-placeholder-quartet/id9900000103', '9900000103', 'collection'],
])('%s is %s', (url, id, type) => {
  expect(run.match(url)).toMatchObject({ id, type });
});

test('a playlist is said to be one', () => {
  const playlist = run.match('https://music.apple.com/us/playlist/slow-mornings/pl.0123abcd');
  expect(playlist).toHaveProperty('id', 'pl.0123abcd');
  expect(() => run.details(playlist ?? '')).toThrow("is a playlist, which Apple's API has not");
});

test("what is said of an app is text, and its page's store is asked", () => {
  const app = run.details('9900003007');
  expect(app).toMatchObject({ title: 'Pour Over Timer', tags: ['Food & Drink', 'Lifestyle'], stats: { ratings: 812 } });
  expect(app.description).not.toMatch('<');
  const [album] = run.collection('9900000103').items;
  expect(run.details(album).id).toBe('9900002003'); // …&country=us
});
