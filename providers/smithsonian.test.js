const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  cassette('search');

  test('who made a thing is found among those who gave and collected it', () => {
    expect(run.search('coffee').items[0]).toMatchObject({
      id: 'edanmdm-ex_9900',
      title: 'Coffee pot with reeded handle',
      page: 'https://collections.si.edu/search/detail/edanmdm:ex_9900',
      tags: ['Coffee'],
      author: { name: 'Isolde Varnham' },
      location: { name: 'Norwich' },
      extra: { unitCode: 'NMAH' },
    });
  });

  test('only what is CC0 is said to be', () => {
    const [unknown, free] = run.search('coffee').items;
    expect(unknown).not.toHaveProperty('license');
    expect(free.license).toHaveProperty('id', 'cc0-1.0');
  });

  test('a picture has a list of files, or one address', () => {
    const [listed, one] = run.search('coffee').items;
    expect(listed.media.map(({ role, format }) => [role, format])).toEqual([
      ['original', 'tiff'], ['original', 'jpeg'], ['large', undefined], ['regular', undefined],
      ['thumbnail', undefined],
    ]);
    expect(listed.media[0]).toMatchObject({ width: 4000, height: 3000 });
    expect(one.media.map((file) => file.role)).toEqual(['large', 'thumbnail']); // …&max=1024
  });

  test('pages go by offset', () => {
    expect(run.search('coffee').total).toBe(24);
    expect(run.search({ text: 'coffee', offset: 20 }).items).toHaveLength(4);
  });
});

test('a place with coordinates has them', () => {
  expect(run.details('edanmdm-ex_9909').location).toEqual({ name: 'Тифлис', latitude: 12.34, longitude: -56.78 });
});

test('the size may stand in the label, and `content` is a file beside those listed', () => {
  expect(run.details('edanmdm-ex_9930').media).toMatchObject([
    { role: 'original', format: 'jpeg', width: 4000, height: 3000 },
    { role: 'original', format: 'tiff', width: 8000, height: 6000 },
    { role: 'large', url: 'https://ids.si.edu/ids/deliveryService?id=EX-EX2031-00030' },
    { role: 'regular', width: 640, height: 480 },
    { role: 'thumbnail', url: 'https://ids.si.edu/ids/deliveryService?id=EX-EX2031-00030&max=150' },
  ]);
});

test('a picture alone may be no list', () => {
  expect(run.details('edanmdm-ex_9931').media).toHaveLength(run.details('edanmdm-ex_9930').media.length);
});

test('filters are words of the query', () => {
  expect(run.feed({ params: { unit: 'NMAH', usage: 'CC0' } }).items.length).toBeGreaterThan(0);
});

test.each([['bad key', 'auth'], ['rate limit', 'rate']])('"%s" is an error of kind %s', (text, kind) => {
  cassette('errors');
  expect(() => run.search(text)).toThrow(kind);
});

test('an object that is not there is notFound', () => {
  expect(() => run.details('nothing')).toThrow('notFound');
  expect(run.search('zzzznothing')).toMatchObject({ items: [], total: 0 });
});

test('all pictures of an object are a collection', () => {
  const { items } = run.collection('views:edanmdm-ex_9900');
  expect(items.map((view) => view.id)).toEqual(['edanmdm-ex_9900', 'edanmdm-ex_9900/1']);
  expect(run.details('edanmdm-ex_9900/1').media[0].url).toBe(items[1].media[0].url);
});
