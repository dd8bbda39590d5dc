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

test('a page of the store is an item', () => {
  expect(run.match('https://apps.apple.com/us/app/grinder/id9900003007')).toMatchObject({ id: '9900003007' });
});

test("what is said of an app is text, and its page's store is asked", () => {
  const app = run.details('9900003007');
  expect(app).toMatchObject({ title: 'Pour Over Timer', tags: ['Food & Drink', 'Lifestyle'], stats: { ratings: 812 } });
  expect(app.description).not.toMatch('<');
  const [album] = run.collection('9900000103').items;
  expect(run.details(album).id).toBe('9900002003'); // …&country=us
});
