const { test, expect, run, cassette } = require('imgscript/test');

// Any server: samples are of one that is invented. What the software says is told in derpibooru.test.js.
test('images have the addresses of the server that was asked', () => {
  cassette('search');
  const page = run.search('coffee');
  expect(page.total).toBe(24);
  expect(page.items[0]).toMatchObject({
    id: '9940000',
    page: 'https://philomena.example/images/9940000',
    author: { name: 'tessera quill' },
    rating: 'safe',
    media: expect.arrayContaining([expect.objectContaining({ role: 'original', width: 2400, height: 1600 })]),
  });
});

test('an image without an artist has no author', () => {
  expect(run.collection('user:Ferncombe').items[0]).not.toHaveProperty('author'); // "artist needed"
});

test('a page of that server is an image', () => {
  expect(run.match('https://philomena.example/images/9940000')).toHaveProperty('id', '9940000');
});

test('what was removed is notFound', () => {
  expect(() => run.details('2')).toThrow('The image was removed: Rule 2');
  expect(() => run.search('rate limit')).toThrow('rate');
});

test('what is popular are the best of the last days', () => {
  expect(run.feed({ params: { list: 'popular' } }).items[0]).toHaveProperty('id', '9941350');
});

test('a picture finds those that look like it', () => {
  expect(run.similar().items).toHaveLength(3);
  expect(run.similar({ image: 'https://pictures.example/fox.jpg' }).items).toEqual([]);
});
