const { test, expect, run } = require('imgscript/test');

test('the feed has the pictures of the last days, named by their day', () => {
  const { items } = run.feed();
  expect(items).toHaveLength(4);
  expect(items[0]).toMatchObject({
    id: '260921',
    title: 'The Kettle Nebula in Three Colors',
    page: 'https://apod.nasa.gov/apod/ap260921.html',
    created: '2026-09-21',
    media: [{ role: 'thumbnail', url: 'https://apod.nasa.gov/apod/calendar/S_260921.jpg' }],
  });
});

test('its page has the picture, large and small, and who made it', () => {
  const picture = run.details('260920');
  expect(picture).toMatchObject({
    id: '260920',
    title: 'Aurora Over an Empty Fairground',
    author: { name: 'Ebba Lindqvist-Invented' },
    created: '2026-09-20',
    extra: { copyrighted: true },
  });
  expect(picture.description).toMatch(/^Why is the wheel green\? .* an invented fairground\.$/);
  expect(picture.media).toMatchObject([
    { role: 'original', url: 'https://apod.nasa.gov/apod/image/2609/Fairground_Invented_3000.jpg', format: 'jpeg' },
    { role: 'regular', url: 'https://apod.nasa.gov/apod/image/2609/Fairground_Invented_1080.jpg' },
    { role: 'thumbnail' },
  ]);
});

test('a day with a film has no picture', () => {
  expect(() => run.details('260917')).toThrow({ kind: 'unsupported', message: 'That of 2026-09-17 is a film.' });
});

test('a day that is not there is notFound', () => {
  expect(() => run.details('260101')).toThrow('notFound');
});

test.each(['https', 'http'])('the page of a day is a picture, by %s', (scheme) => {
  expect(run.match(`${scheme}://apod.nasa.gov/apod/ap950616.html`)).toHaveProperty('id', '950616');
});
