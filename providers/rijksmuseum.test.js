const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  cassette('search');

  test('an object, the work it shows and the file make an item', () => {
    expect(run.search('coffee').items[0]).toMatchObject({
      id: '209900100',
      title: 'Coffee pot with reeded handle',
      page: 'https://id.rijksmuseum.nl/209900100',
      author: { name: 'Isolde Varnham' },
      license: { id: 'pdm-1.0' },
      extra: { objectNumber: 'EX-C-1' },
    });
  });

  test("sizes are those that fit into a square, since the object's own are not known", () => {
    const [{ media }] = run.search('coffee').items;
    expect(media.map((file) => file.url.split('/').at(-3))).toEqual([
      'max', '!1600,1600', '!800,800', '!400,400', '!200,200',
    ]);
    expect(media[0]).not.toHaveProperty('width');
  });

  test('of a hundred ids at once a page is asked for', () => {
    const page = run.search('coffee');
    expect(page.total).toBe(14);
    expect(page.items).toHaveLength(10);
    expect(page.next).toEqual({ from: 10 });
  });

  test('objects without a file are left out', () => {
    const { items, next } = run.search({ text: 'coffee', cursor: { from: 10 } });
    for (const object of items) expect(object.media.length).toBeGreaterThan(0);
    expect(next).toEqual({ token: 'tok3n' });
  });
});

test("a page's address has the number people know", () => {
  const item = run.match('https://www.rijksmuseum.nl/en/collection/EX-C-22');
  expect(run.details(item ?? '')).toMatchObject({ id: '209900121', author: { name: 'Greta Vintermyr' } });
});

test('an object is found by its number alone, too', () => {
  expect(run.details('209900120')).toMatchObject({ id: '209900120', title: 'Poster: “Café Lumière”' });
});

test('a field narrows the list', () => {
  expect(run.feed({ params: { type: 'print' } }).total).toBe(1);
});

test('answers in another form are said to be', () => {
  cassette('errors');
  const message = 'The Rijksmuseum answers as its former API did.';
  expect(() => run.search('former')).toThrow({ kind: 'changed', message });
  expect(() => run.details('209900199')).toThrow({ kind: 'changed', message });
  expect(() => run.search('unlike')).toThrow({ kind: 'changed', message: expect.stringMatching(/without a list of objects/) });
});

test('an object that is not there is notFound', () => {
  expect(() => run.details('EX-0')).toThrow({ kind: 'notFound', message: 'The Rijksmuseum has no object EX-0.' });
  expect(() => run.details('1')).toThrow('notFound');
  expect(run.search('zzzznothing')).toMatchObject({ items: [], total: 0, next: null });
});
