const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  cassette('search');

  test('an item says who made it and that it may be used', () => {
    expect(run.search('coffee').items[0]).toMatchObject({
      id: '99310000',
      title: 'Coffee pot with reeded handle',
      page: 'https://www.loc.gov/item/99310000/',
      tags: ['coffee', 'silver'],
      author: { name: 'isolde varnham' },
      license: { id: 'no-known-restrictions' },
      location: { name: 'norwich' },
      extra: { date: '1742' },
    });
  });

  test('the size stands behind the address, and the widest file comes first', () => {
    const [{ media }] = run.search('coffee').items;
    expect(media[0]).toMatchObject({ role: 'regular', width: 768, height: 1024 });
    for (const file of media) expect(file.url).not.toMatch('#');
  });

  test('pages end where the library names no next one', () => {
    expect(run.search('coffee')).toMatchObject({ total: 23 });
    expect(run.search({ text: 'coffee', page: 2 }).next).toBeNull();
  });
});

test('details have the scan, as TIFF', () => {
  const item = run.details('99310024');
  expect(item.media[0]).toMatchObject({
    role: 'original', width: 4512, height: 6016, bytes: 81000000, format: 'tiff',
  });
  expect(item).not.toHaveProperty('license'); // its rights are not said to be free
});

test('years narrow a list', () => {
  expect(run.feed({ params: { dates: '1900/1909' } }).items).toHaveLength(1);
});

test('a collection of the library is one here', () => {
  const item = run.match('https://www.loc.gov/collections/coffee-houses/');
  expect(run.collection(item ?? '').items).toHaveLength(3);
});

test('who asked too much gets a web page, with status 200', () => {
  cassette('errors');
  expect(() => run.search('rate limit')).toThrow('rate');
  expect(() => run.search({ text: 'busy', params: { kind: 'maps' } })).toThrow('rate');
  expect(() => run.details('1')).toThrow('notFound');
});

test.each(['challenged', 'unmarked'])('who is to prove to be a browser is blocked ("%s")', (text) => {
  cassette('errors');
  expect(() => run.search(text)).toThrow({ kind: 'blocked', message: expect.stringContaining('challenge') });
});
