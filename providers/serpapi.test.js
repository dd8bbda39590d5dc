const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  cassette('search');

  test('a result is known by its address, and says which page shows it', () => {
    const [image] = run.search('coffee').items;
    expect(image).toMatchObject({
      id: 'https://www.cafes.example/images/0.jpg',
      title: 'Enamel coffee pot on a blue stove',
      page: 'https://www.cafes.example/0',
      media: [{ role: 'original', width: 1200, height: 800 }, { role: 'thumbnail' }],
      extra: { source: 'Cafes Example' },
    });
    expect(image).not.toHaveProperty('license');
  });

  test('the first page is number 0; after the last nothing is found', () => {
    expect(run.search('coffee').items).toHaveLength(100);
    expect(run.search({ text: 'coffee', page: 2 }).items).toHaveLength(12);
    expect(run.search({ text: 'coffee', page: 3 }).items).toEqual([]);
  });

  test('filters are sent', () => {
    expect(run.search({ text: 'moka', params: { imgsz: '2mp', licenses: 'cl', gl: 'it' } }).items).toHaveLength(1);
  });
});

test('an error with status 200 is one, unless it says that nothing was found', () => {
  expect(run.search('zzzznothing').items).toEqual([]);
  expect(() => run.search({ text: 'bad country', params: { gl: 'zz' } })).toThrow('Unsupported `zz` country');
});

test.each([['bad key', 'auth'], ['rate limit', 'rate']])('"%s" is an error of kind %s', (text, kind) => {
  cassette('errors');
  expect(() => run.search(text)).toThrow(kind);
});
