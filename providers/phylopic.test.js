const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  cassette('search');

  test('a silhouette is named after what it shows', () => {
    const [image] = run.search('coffee').items;
    expect(image).toMatchObject({
      id: '7a7b9655-c170-4a7d-a6a8-a0eeb1520fa8',
      title: 'Coffea exampla',
      page: 'https://www.phylopic.org/images/7a7b9655-c170-4a7d-a6a8-a0eeb1520fa8',
      author: { name: 'Marguerite Sandell', url: expect.stringContaining('https://www.phylopic.org/contributors/') },
      license: { id: 'cc0-1.0' },
      created: '2031-03-10T10:45:31.187Z',
    });
  });

  test('it comes as SVG, and as PNG with sizes that are text', () => {
    const [{ media }] = run.search('coffee').items;
    expect(media[0]).toMatchObject({ role: 'original', format: 'svg', width: 1152, height: 768 });
    expect(media[1]).toMatchObject({ role: 'large', format: 'png', width: 1536, height: 1024 });
    expect(media.at(-1)?.role).toBe('thumbnail');
  });

  test('all pages are of the build that the first answer names', () => {
    const page = run.search('coffee');
    expect(page.next).toEqual({ build: 990, total: 11, page: 1 });
    const rest = run.search({ text: 'coffee', cursor: page.next });
    expect(rest.items).toHaveLength(3);
    expect(rest.next).toBeNull();
  });

  test('names are looked up in lower case', () => {
    expect(run.search(' Coffee ')).toEqual(run.search('coffee'));
  });
});

test('a filter that is false is sent', () => {
  expect(run.feed({ params: { filter_license_nc: false } }).total).toBe(1);
});

test('nothing found needs one request', () => {
  expect(run.search('zzzznothing')).toEqual({ total: 0, items: [], next: null });
});

test("an image that is not there is notFound, in PhyloPic's words", () => {
  expect(() => run.details('nothing')).toThrow({ kind: 'notFound', message: 'The image was not found.' });
});
