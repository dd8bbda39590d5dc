const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  test('a photograph comes in five sizes, and says whose it is', () => {
    cassette('search');
    const { items, total } = run.search('coffee');
    expect(total).toBe(24);
    expect(items).toHaveLength(20);
    expect(items[0].media.map((file) => file.role)).toEqual(['original', 'large', 'regular', 'small', 'thumbnail']);
    expect(items[0]).toMatchObject({
      type: 'image',
      title: 'Flat white beside a rain-streaked window',
      license: { id: 'unsplash' },
      author: { name: expect.any(String), url: expect.stringMatching(/utm_source=imgscript/) },
    });
  });

  test('nothing found is an empty page', () => {
    expect(run.search('zzzznothing')).toMatchObject({ items: [], total: 0 });
  });

  const failures = [['bad key', 'auth'], ['rate limit', 'rate'], ['spam', 'unsupported']];
  test.each(failures)('%s is an error of kind %s', (text, kind) => {
    cassette('errors');
    expect(() => run.search(text)).toThrow(kind);
  });
});

test('a download is reported before it is fetched', () => {
  const photo = run.details('nlHhMUj9CtX');
  const [original] = photo.media;
  expect(run.download(original, photo)?.url).toMatch('images.unsplash.com');
});

test('a profile page is a collection', () => {
  expect(run.match('https://unsplash.com/@anna')).toMatchObject({ id: 'user:anna', type: 'collection' });
  expect(run.match('https://example.com/@anna')).toBeNull();
});
