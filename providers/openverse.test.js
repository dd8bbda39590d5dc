const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  cassette('search');

  test('an image says where it is from, whose it is and under which licence', () => {
    const [image] = run.search('coffee').items;
    expect(image).toMatchObject({
      id: '3ca58220-77ac-4b66-ad83-bfc487f25d32',
      title: 'Drying patios at noon',
      page: 'https://www.flickr.com/photos/odalysfernwick/99200000000',
      tags: ['coffee', 'farm', 'drying', 'patio', 'sun'],
      author: { name: 'Odalys Fernwick', url: 'https://people.example.org/odalysfernwick' },
      license: { id: 'cc-by-sa-2.0', name: 'CC BY-SA 2.0' },
      rating: 'safe',
      extra: { provider: 'flickr', attribution: expect.stringContaining('is licensed under CC BY-SA 2.0') },
    });
    expect(image.media).toMatchObject([
      { role: 'original', width: 5472, height: 3648, format: 'jpeg' }, { role: 'thumbnail' },
    ]);
  });

  test('what a source does not say is absent', () => {
    for (const { author, media } of run.search('coffee').items) {
      if (author) expect(author.name).not.toBe('');
      for (const file of media) expect(file.width).not.toBe(0);
    }
  });

  test('pages are counted', () => {
    expect(run.search('coffee').items).toHaveLength(20);
    expect(run.search('coffee')).toMatchObject({ total: 25 });
    expect(run.search({ text: 'coffee', page: 2 }).items).toHaveLength(5);
  });
});

test('lists of licences and tags are joined by commas', () => {
  const { items } = run.feed({ params: { tags: ['coffee', 'rain'], license: ['cc0', 'pdm'] } });
  for (const image of items) expect(image.license?.id).toMatch(/^(cc0|pdm)-/);
});

test('images like one are a collection, of one page', () => {
  expect(run.collection('related:3ca58220-77ac-4b66-ad83-bfc487f25d32').items).toHaveLength(4);
  expect(run.collection('related:3ca58220-77ac-4b66-ad83-bfc487f25d32')).toMatchObject({ next: null });
});

test('how long to wait is said in the text alone', () => {
  const rate = { kind: 'rate', message: 'Request was throttled. Expected available in 37 seconds.' };
  expect(() => run.search('rate limit')).toThrow(rate);
});

test('failures', () => {
  expect(run.search('zzzznothing')).toMatchObject({ items: [], total: 0 });
  expect(() => run.search('bad key')).toThrow('auth');
  const message = 'page_size may not exceed 20 for anonymous requests';
  expect(() => run.search('no key')).toThrow({ kind: 'auth', message });
  expect(() => run.details('00000000-0000-4000-8000-000000000000')).toThrow('notFound');
});

test('a page in any language is an image', () => {
  expect(run.match('https://openverse.org/de/image/abc')).toHaveProperty('id', 'abc');
});
