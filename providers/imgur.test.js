const { test, describe, expect, run, cassette } = require('imgscript/test');

describe('search', () => {
  cassette('search');

  test('an image has its counts, and smaller files that keep its shape', () => {
    const [image] = run.search('coffee').items;
    expect(image).toMatchObject({
      id: 'Inv0000',
      title: 'Enamel coffee pot on a blue stove',
      description: 'Found at the back of the cupboard.',
      page: 'https://imgur.com/Inv0000',
      tags: ['coffee', 'pot', 'enamel'],
      created: '2024-04-24T23:06:40Z',
      stats: { views: 9000, likes: 400, comments: 0, favorites: 0, score: expect.any(Number) },
      rating: 'safe',
    });
    expect(image.media.map(({ role, width, height }) => [role, width, height])).toEqual([
      ['original', 4000, 3000], ['large', 1024, 768], ['regular', 640, 480], ['small', 320, 240],
      ['thumbnail', 160, 120],
    ]);
  });

  test('an album of several pictures is a collection, one of a single picture is that picture', () => {
    const { items } = run.search('coffee');
    expect(items.find((item) => item.id === 'album:Alb03')).toMatchObject({ type: 'collection' });
    expect(items.find((item) => item.id === 'album:Alb07')).toBeUndefined();
  });

  test('advertisements are left out', () => {
    const { items } = run.search('coffee');
    expect(items).toHaveLength(59); // of 60
    expect(items.map((item) => item.id)).not.toContain('Inv0100');
  });

  test('the page stands in the path, and the first is 0', () => {
    const ids = run.search({ text: 'coffee', page: 2 }).items.map((item) => item.id);
    expect(ids).not.toContain('Inv0000');
    expect(run.search({ text: 'coffee', page: 3 }).items).toEqual([]);
  });

  test('so do order and time', () => {
    const params = { sort: 'top', window: 'month', q_type: 'png' };
    expect(run.search({ text: 'moka', params }).items[0].title).toMatch('Moka pot');
    expect(run.search({ text: 'moka', params, page: 2 }).items).toEqual([]);
  });
});

test('a section of the gallery has its own order and time', () => {
  const params = { section: 'top', sort: 'time', window: 'week' };
  expect(run.feed({ params }).items[0]).toMatchObject({ id: 'Inv0020', title: 'Drying patio above the river' });
  expect(run.feed({ params, page: 2 }).items).toEqual([]);
});

test('an album gives all its pictures at once', () => {
  expect(run.collection('album:Alb03').items).toHaveLength(4);
  expect(run.collection('album:Alb03')).toMatchObject({ next: null });
  expect(run.collection('user:glorem').items).toHaveLength(3);
});

test('a post in the gallery is an album or a single image', () => {
  const post = run.match('https://imgur.com/gallery/enamel-coffee-pot-Inv0009');
  expect(post).toMatchObject({ id: 'gallery:Inv0009', type: 'collection' });
  const { items, next } = run.collection(post ?? '');
  expect(items.map((image) => image.id)).toEqual(['Inv0009']);
  expect(next).toBeNull();
  expect(run.collection('gallery:Alb03')).toEqual(run.collection('album:Alb03'));
  cassette('errors');
  expect(() => run.collection('album:Gone0')).toThrow('notFound');
});

test('the status inside the answer decides', () => {
  cassette('errors');
  expect(() => run.search('bad key')).toThrow({ kind: 'auth', message: 'Invalid client_id' });
  expect(() => run.search('region')).toThrow('blocked');
  expect(() => run.search('country')).toThrow('blocked');
  expect(() => run.search('capacity')).toThrow('rate');
  expect(() => run.search('listed')).toThrow({ kind: 'auth', message: 'Authentication required' });
  expect(() => run.search('rate limit')).toThrow('rate');
  expect(() => run.details('Gone000')).toThrow('notFound');
});

test.each([
  ['https://imgur.com/a/coffee-pots-Alb03', 'album:Alb03', 'collection'],
  ['https://imgur.com/gallery/Inv0009', 'gallery:Inv0009', 'collection'],
  ['https://imgur.com/t/coffee/Inv0009', 'gallery:Inv0009', 'collection'],
  ['https://imgur.com/user/glorem', 'user:glorem', 'collection'],
  ['https://i.imgur.com/Inv0001.jpg', 'Inv0001', 'image'],
])('%s is %s', (url, id, type) => {
  expect(run.match(url)).toMatchObject({ id, type });
});
