const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  cassette('search');

  test('a work comes as TIFF, as a large JPEG and for the web; sizes are numbers', () => {
    const [work] = run.search('coffee').items;
    expect(work.media).toMatchObject([
      { role: 'original', format: 'tiff', width: 4000, height: 3000, bytes: 4000000 },
      { role: 'large', format: 'jpeg', width: 3200, height: 2400 },
      { role: 'regular', format: 'jpeg', width: 1000, height: 750 },
    ]);
  });

  test('a work says who made it, without the dates of their life', () => {
    expect(run.search('coffee').items[0]).toMatchObject({
      id: '990200',
      title: 'Coffee pot with reeded handle',
      page: 'https://clevelandart.org/art/2031.1',
      tags: ['Silver', 'Norwich, 18th century'],
      author: { name: 'Isolde Varnham', id: '9900' },
      license: { id: 'cc0-1.0' },
      extra: { accession_number: '2031.1', creation_date: 'c. 1742' },
    });
  });

  test('pages go by offset', () => {
    const first = run.search('coffee');
    expect(first.total).toBe(24);
    expect(first.items).toHaveLength(20);
    const second = run.search({ text: 'coffee', offset: 20 });
    expect(second.items.map((work) => work.id)).not.toContain(first.items[0].id);
  });
});

test('a work whose picture is withheld is no result', () => {
  for (const work of run.search({ text: 'coffee', offset: 20 }).items) expect(work.media.length).toBeGreaterThan(0);
});

test('a work under copyright says so, and has no TIFF', () => {
  const work = run.details('2031.19');
  expect(work.license).toEqual({ id: 'copyrighted', name: '© Example Estate' });
  expect(work.media.map((file) => file.role)).toEqual(['large', 'regular']);
});

test('a flag stands without a value', () => {
  expect(run.feed({ params: { cc0: true } }).items.length).toBeGreaterThan(0); // …&cc0=1&limit=20
});

test('failures', () => {
  expect(run.search('zzzznothing')).toMatchObject({ items: [] });
  expect(() => run.details('1')).toThrow('notFound');
});

test('a page of the museum is a work, by its accession number', () => {
  expect(run.match('https://www.clevelandart.org/art/2031.19')).toHaveProperty('id', '2031.19');
});
