const { test, expect, run } = require('imgscript/test');

test('what has all words is found, those in its name before others', () => {
  const page = run.search('brick');
  expect(page).toMatchObject({ total: 28, next: 24 });
  expect(page.items[0].id).toBe('brick_inv_26'); // the most popular
  expect(run.search({ text: 'brick', cursor: 24 }).items.at(-1)?.id).toBe('coffee_house');
  expect(run.search('brick ROOM').items.map(({ id }) => id)).toEqual(['coffee_house']);
  expect(run.search({ text: 'brick', params: { sort: 'newest' } }).items[0].id).toBe('brick_inv_00');
});

test('a panorama has its place, and its picture for people', () => {
  expect(run.details('coffee_house')).toMatchObject({
    location: { latitude: 52.5, longitude: 13.4 },
    license: { id: 'cc0-1.0' },
    media: [{ role: 'original', width: 16384, height: 8192, bytes: 30000000 }, { role: 'regular' }, { role: 'thumbnail' }],
  });
});

test('a texture is all its maps, the colour first, each as large as it comes', () => {
  expect(run.details('brick_inv_01').media.slice(0, 2)).toMatchObject([
    { role: 'original', file: 1, url: expect.stringContaining('_diff_8k.jpg'), width: 8192 },
    { role: 'original', file: 2, url: expect.stringContaining('_rough_1k.jpg'), width: 1024 },
  ]);
});
