const { test, expect, run } = require('imgscript/test');

test("an entry's enclosure is its image", () => {
  const [image] = run.feed().items;
  expect(image).toMatchObject({
    title: 'Dust Lane Above the Ridge',
    description: 'An invented description of “Dust Lane Above the Ridge”, 1 of 5.',
    page: 'https://www.nasa.gov/image-article/invented-0/',
    tags: ['Earth'],
    author: { name: 'Imogen Sample' },
    created: '2026-09-21T15:30Z',
    media: [{ role: 'original', bytes: 812000, format: 'jpeg' }],
  });
});

test('the feed goes on where it says so', () => {
  const page = run.feed();
  expect(page.next).toBe('https://www.nasa.gov/feeds/iotd-feed/?paged=2');
  expect(run.feed({ cursor: page.next }).items[0].id).not.toBe(page.items[0].id);
});

test('the second page ends the feed', () => {
  expect(run.feed({ cursor: 'https://www.nasa.gov/feeds/iotd-feed/?paged=2' }).next).toBeNull();
});
