const { test, expect, run } = require('imgscript/test');

test('a photograph says who took it, and comes in any size', () => {
  const [photo] = run.feed().items;
  expect(photo).toMatchObject({
    id: '99100',
    page: 'https://unsplash.com/photos/exa0af76464',
    author: { name: 'Ines Karolyi' },
    license: { id: 'unsplash' },
  });
  expect(photo.media.map(({ role, width, height }) => [role, width, height])).toEqual([
    ['original', 4000, 3000], ['large', 1600, 1200], ['regular', 800, 600], ['small', 400, 300],
    ['thumbnail', 200, 150],
  ]);
  expect(photo.media[1].url).toBe('https://picsum.photos/id/99100/1600/1200');
});

test('effects change the files, not the request', () => {
  const [{ media }] = run.feed({ params: { grayscale: true, blur: 2 } }).items;
  for (const { url } of media) expect(url).toMatch(/\?grayscale&blur=2$/);
});

test('the list ends where the Link header names no next page', () => {
  expect(run.feed()).not.toHaveProperty('next');
  expect(run.feed({ page: 2 }).next).toBeNull();
});

test('an address of a size is the photograph', () => {
  const item = run.match('https://picsum.photos/id/99107/200/300');
  expect(run.details(item ?? '')).toMatchObject({ id: '99107', author: { name: 'Tobias Wendelin' } });
});

test('a number without a photograph is notFound', () => {
  expect(() => run.details('1000000')).toThrow('notFound');
});
