const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  cassette('search');

  test('an image comes as previews, of which some are marked', () => {
    const [image] = run.search('coffee').items;
    expect(image).toMatchObject({
      id: '9900001000',
      title: 'Enamel coffee pot on a blue stove',
      page: 'https://www.gettyimages.com/detail/9900001000',
      author: { name: 'Odalys Fernwick' },
      license: { id: 'getty' },
      extra: { collection_name: 'ExampleVision', max_dimensions: { width: 6720, height: 4480 } },
    });
    expect(image.media.map(({ role, watermarked }) => [role, watermarked])).toEqual([
      ['regular', true], ['small', false], ['thumbnail', false],
    ]);
  });

  test('signed addresses stay as they are', () => {
    expect(run.search('coffee').items[0].media[0].url).toMatch(/\?b=1&s=612x612&w=0&h=INVENTED[0-9a-f]+=$/);
  });

  test('pages are counted', () => {
    expect(run.search('coffee').total).toBe(34);
    expect(run.search({ text: 'coffee', page: 2 }).items).toHaveLength(4);
  });

  test('news are searched elsewhere', () => {
    const params = { family: 'editorial', orientations: ['horizontal', 'square'], sort_order: 'newest' };
    expect(run.search({ text: 'harvest', params }).items[0].extra).toHaveProperty('asset_family', 'editorial');
  });
});

test('details add keywords, date and page', () => {
  expect(run.details('9900001000')).toMatchObject({
    tags: ['Coffee', 'Pot'],
    created: '2024-05-01T00:00:00',
    page: 'https://www.gettyimages.com/detail/photo/enamel-coffee-pot-on-a-blue-stove/9900001000',
  });
});

test.each([['bad key', 'auth'], ['too fast', 'rate'], ['bad filter', 'unsupported']])('"%s" is %s', (text, kind) => {
  cassette('errors');
  expect(() => run.search(text)).toThrow(kind);
});

test('an image that is not there is named in another list', () => {
  expect(() => run.details('1')).toThrow({ kind: 'notFound', message: 'Getty Images has no image 1.' });
  expect(run.search('zzzznothing')).toMatchObject({ items: [], total: 0 });
});
