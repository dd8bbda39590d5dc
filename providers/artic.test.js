const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  cassette('search');

  test('a work says who made it, when and of what', () => {
    const [work] = run.search('coffee').items;
    expect(work).toMatchObject({
      id: '9900100',
      title: 'Coffee pot with reeded handle',
      page: 'https://www.artic.edu/artworks/9900100',
      tags: ['silver'],
      author: { name: 'Isolde Varnham', id: '99000' },
      license: { id: 'cc0-1.0' },
      extra: { date_display: 'c. 1742', medium_display: 'Silver', is_public_domain: true },
    });
    expect(work.description).not.toMatch('<');
  });

  test('the image server makes sizes, of which none is larger than the work', () => {
    const [{ media }] = run.search('coffee').items;
    expect(media.map(({ role, width, height }) => [role, width, height])).toEqual([
      ['original', 4000, 3000], ['large', 1686, 1265], ['regular', 843, 632], ['small', 400, 300],
      ['thumbnail', 200, 150],
    ]);
  });

  test('works without a picture are left out, and counted', () => {
    const page = run.search('coffee');
    expect(page.items).toHaveLength(19);
    expect(page.total).toBe(24);
    expect(run.search({ text: 'coffee', page: 2 }).items[0].id).not.toBe(page.items[0].id);
  });
});

test('of a work under copyright there is 843 pixels at most, and no licence', () => {
  const work = run.details('9900118');
  expect(work).not.toHaveProperty('license');
  expect(work.media.map((file) => file.role)).toEqual(['regular', 'small', 'thumbnail']);
  expect(work.media[0]).toHaveProperty('width', 843);
});

test('public_domain asks for those alone', () => {
  const { items, total } = run.feed({ params: { public_domain: true } });
  expect(total).toBe(2);
  for (const work of items) expect(work.license).toHaveProperty('id', 'cc0-1.0');
});

test('what the museum refuses is said in its words', () => {
  cassette('errors');
  expect(() => run.search({ text: 'too far', page: 501 })).toThrow('unsupported');
  expect(() => run.search('rate limit')).toThrow('rate');
  expect(() => run.details('1')).toThrow({ kind: 'notFound', message: 'The item you requested cannot be found.' });
});

test.each(['129884', '129884/starry-night'])('the page %s is a work', (path) => {
  expect(run.match(`https://www.artic.edu/artworks/${path}`)).toHaveProperty('id', '129884');
});

test("all pictures of a work are a collection; only the first one's size is known", () => {
  const { items, next } = run.collection('views:9900100');
  expect(items.map((view) => view.id)).toEqual(['9900100', '9900100/1']);
  expect(items[0].media[0]).toHaveProperty('width', 4000);
  expect(items[1].media[0]).not.toHaveProperty('width');
  expect(next).toBeNull();
  expect(run.details('9900100/1').media[0].url).toBe(items[1].media[0].url);
});
