const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('a page of tiles', () => {
  cassette('search');

  test('gives an image for each photo it links to, once', () => {
    const { items } = run.search('coffee');
    expect(items[0]).toMatchObject({
      id: 'invented-barista-pours-latte-art',
      title: 'Barista Pours Latte Art',
      page: 'https://www.shopify.com/stock-photos/photos/invented-barista-pours-latte-art',
    });
    expect(new Set(items.map((image) => image.id)).size).toBe(items.length);
    expect(items.map((image) => image.id)).not.toContain('other'); // the page's header
  });

  test('the address without a width is the original', () => {
    const stem = 'https://burst.shopifycdn.com/photos/invented-barista-pours-latte-art.jpg';
    expect(run.search('coffee').items[0].media.map((file) => file.url)).toEqual([
      stem, `${stem}?width=1850`, `${stem}?width=925`, `${stem}?width=373`,
    ]);
  });

  test('goes on where its link to the next page says', () => {
    const first = run.search('coffee');
    expect(first.next).toBe('2');
    const second = run.search({ text: 'coffee', cursor: first.next });
    expect(second.items.map((image) => image.id)).not.toContain(first.items[0].id);
  });
});

test("a photo's page says who took it, and under which licence", () => {
  expect(run.details('invented-barista-pours-latte-art')).toMatchObject({
    title: 'Barista Pours Latte Art',
    description: 'A barista finishes an invented rosetta.',
    tags: ['Coffee', 'Barista'],
    author: { name: 'Odile Brack', id: 'odilebrack', url: 'https://www.shopify.com/stock-photos/@odilebrack' },
    license: { id: 'cc0-1.0' },
    created: '2026-02-03',
    media: expect.arrayContaining([expect.objectContaining({ role: 'original' })]),
  });
});

test('a photo of whose page search engines are told nothing', () => {
  expect(run.details('invented-moka-pot-on-stove')).toMatchObject({
    title: 'Moka Pot On Stove',
    description: 'A pot that was invented.',
    author: { id: 'samhalloran' },
    license: { id: 'burst', url: 'https://www.shopify.com/stock-photos/legal/license' },
    media: [{ role: 'original', url: 'https://burst.shopifycdn.com/photos/invented-moka-pot-on-stove.jpg' }, {}, {}, {}],
  });
});

test('a tag and a photographer are collections', () => {
  expect(run.collection('tag:espresso').items).toHaveLength(2);
  expect(run.collection('user:odilebrack').items).toHaveLength(3);
});

test.each([
  ['https://www.shopify.com/stock-photos/photos/wet-cup?q=cup', 'wet-cup', 'image'],
  ['https://www.shopify.com/br/stock-photos/photos/wet-cup', 'wet-cup', 'image'],
  ['https://burst.shopify.com/photos/wet-cup', 'wet-cup', 'image'],
  ['https://burst.shopify.com/@odilebrack', 'user:odilebrack', 'collection'],
  ['https://www.shopify.com/stock-photos/tags/espresso', 'tag:espresso', 'collection'],
])('%s is %s', (address, id, type) => {
  expect(run.match(address)).toMatchObject({ id, type });
});

test('sort asks for another list', () => {
  expect(run.feed({ params: { sort: 'trending' } }).items[0].id).not.toBe(run.feed().items[0].id);
});

test('nothing found is an empty page; a page that is gone is notFound', () => {
  expect(run.search('zzzznothing').items).toEqual([]);
  expect(() => run.details('not-there')).toThrow('notFound');
  expect(() => run.search('rate limit')).toThrow('rate');
});
