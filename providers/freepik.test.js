const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  cassette('search');

  test('a resource is its preview, with what it costs', () => {
    const [photo] = run.search('coffee').items;
    expect(photo).toMatchObject({
      id: '990100',
      title: 'Enamel coffee pot on a blue stove',
      page: 'https://www.freepik.com/free-photo/invented-0_990100.htm',
      author: { name: 'Odalys Fernwick', id: '9900' },
      license: { id: 'freepik-freemium', name: 'Freepik License (freemium)' },
      created: '2024-01-14T20:45:28.000Z',
      stats: { downloads: 500, likes: 40 },
      media: [{ role: 'large', width: 626, height: 417 }], // "626x417"
      extra: { type: 'photo', formats: ['jpg'] },
    });
  });

  test('the last page is recognized by its number', () => {
    expect(run.search('coffee').total).toBe(23);
    expect(run.search({ text: 'coffee', page: 2 }).next).toBeNull();
  });

  test('each value of a filter is a switch', () => {
    const params = { order: 'recent', content_type: ['photo', 'vector'], license: 'freemium', color: 'red' };
    expect(run.search({ text: 'coffee', params }).total).toBe(2);
  });
});

test('without a text the newest are listed', () => {
  expect(run.feed().items).toHaveLength(4); // order=recent
});

test.each([['bad key', 'auth'], ['rate limit', 'rate'], ['bad page', 'unsupported']])('"%s" is %s', (text, kind) => {
  cassette('errors');
  expect(() => run.search(text)).toThrow(kind);
});
