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

test('works of programs are left out by a filter', () => {
  expect(run.search({ text: 'cups', params: { ai_generated: 'excluded' } }).total).toBe(2);
});

// https://docs.magnific.com: Freepik's new name is in the host and the header too.
test('the API is where its documentation says', () => {
  const { hosts, auth } = /** @type {any} */ (require('./freepik'));
  expect({ hosts, header: auth.name }).toEqual({ hosts: ['api.magnific.com'], header: 'x-magnific-api-key' });
});

test('details say the same as a list, and the size of the whole', () => {
  const [listed] = run.search('coffee').items;
  const { title, page, author, license, created, media, extra, tags } = run.details('990100');
  expect(listed).toMatchObject({ title, page, author, license: { id: license?.id }, created, media });
  expect(extra).toMatchObject({ dimensions: { width: 6000, height: 4000 }, formats: ['jpg'] });
  expect(tags).toEqual(['coffee', 'enamel pot']);
});

test.each([
  'https://www.freepik.com/free-photo/enamel-coffee-pot_990100.htm',
  'https://www.magnific.com/premium-vector/enamel-coffee-pot_990100.htm#fromView=search',
  'https://www.freepik.com/de/fotos-kostenlos/kanne_990100.htm',
])('%s is a resource', (url) => {
  expect(run.match(url)).toMatchObject({ id: '990100', type: 'image' });
});

test('without a text the newest are listed', () => {
  expect(run.feed().items).toHaveLength(4); // order=recent
});

test.each([['bad key', 'auth'], ['rate limit', 'rate'], ['bad page', 'unsupported']])('"%s" is %s', (text, kind) => {
  cassette('errors');
  expect(() => run.search(text)).toThrow(kind);
});
