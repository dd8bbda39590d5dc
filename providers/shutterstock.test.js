const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  cassette('search');

  test('an image has previews alone, and says that they are marked', () => {
    const [image] = run.search('coffee').items;
    expect(image).toMatchObject({
      id: '9901230000',
      title: 'Coffee pot with reeded handle',
      page: 'https://www.shutterstock.com/image-photo/9901230000',
      tags: ['coffee', 'silver'],
      license: { id: 'shutterstock' },
      created: '2031-01-01',
      rating: 'safe',
      extra: { contributor: { id: '990' } },
    });
    expect(image.media[0]).toMatchObject({ role: 'large', width: 1498, height: 999, watermarked: true });
    expect(image.media.filter((file) => file.role === 'original')).toEqual([]);
    expect(image.media.at(-1)).not.toHaveProperty('watermarked'); // thumbnails are clean
  });

  test('names no author: a contributor is a number', () => {
    for (const image of run.search('coffee').items) expect(image).not.toHaveProperty('author');
  });

  test('pages are counted', () => {
    expect(run.search('coffee').total).toBe(23);
    expect(run.search({ text: 'coffee', page: 2 }).items).toHaveLength(3);
  });
});

test('what is wrong with a filter is said', () => {
  const colour = { text: 'bad colour', params: { color: 'teapot' } };
  expect(() => run.search(colour)).toThrow({ kind: 'unsupported', message: 'color is not a hex value' });
});

test.each([['bad key', 'auth'], ['rate limit', 'rate']])('"%s" is an error of kind %s', (text, kind) => {
  expect(() => run.search(text)).toThrow(kind);
});

test('an image that is not there is notFound', () => {
  expect(() => run.details('1')).toThrow('notFound');
  expect(run.match('https://www.shutterstock.com/de/image-photo/kaffee-9901230000')).toHaveProperty('id', '9901230000');
});
