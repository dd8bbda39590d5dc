const { test, expect, run } = require('imgscript/test');

test('the feed has the pictures of the last days, named by their day', () => {
  const page = run.feed();
  expect(page).toMatchObject({ total: 10 });
  expect(page.items[0]).toMatchObject({
    id: '261008',
    type: 'image',
    title: 'The Kettle Nebula in Three Colors',
    alt: 'An invented picture: The Kettle Nebula in Three Colors.',
    page: 'https://science.nasa.gov/image-article/apod-2026-october-8-the-kettle-nebula-in-three-colors/',
    author: { name: 'Ebba Lindqvist-Invented (Fairground Observatory)' },
    created: '2026-10-08',
    extra: { post_id: expect.any(Number) },
  });
  expect(page.items[0].description).toBe(
    'Why is the sky green? The light is an invented one, of The Kettle Nebula in Three Colors.');
});

test('entities and the words before a credit are no part of them', () => {
  expect(run.feed().items[1]).toMatchObject({
    title: 'Aurora Over an “Empty” Fairground', credit: 'NASA, ESA; Processing: Odile Brack-Invented',
  });
});

test('a picture comes in any width', () => {
  const stem = 'https://assets.science.nasa.gov/dynamicimage/assets/science/cds/apod/apod/2026/october/Colors_Invented.jpg';
  expect(run.details('261008').media).toMatchObject([
    { role: 'original', url: `${stem}?w=3000&h=2000&fit=clip&crop=faces%2Cfocalpoint`, width: 3000, height: 2000 },
    { role: 'regular', url: `${stem}?w=1280&h=853&fit=clip`, width: 1280, height: 853 },
    { role: 'thumbnail', width: 320, height: 213, format: 'jpeg' },
  ]);
});

test('days between two others', () => {
  const { items } = run.feed({ params: { from: '2026-10-01', to: '2026-10-03' } });
  expect(items.map((item) => item.id)).toEqual(['261003', '261002', '261001']);
});

test('a film is a film, and one that lies elsewhere a still', () => {
  expect(run.details('261005')).toMatchObject({
    type: 'video',
    media: [{ role: 'original', url: expect.stringMatching(/Shadow_Invented\.mp4$/) }, { role: 'thumbnail' }],
  });
  const elsewhere = run.feed().items[2];
  expect(elsewhere).toMatchObject({ type: 'image', media: [{ width: 1280 }, {}, {}] });
  const embed = 'https://www.youtube.com/embed/invented?rel=0&x=1';
  expect(elsewhere.extra).toMatchObject({ media_type: 'iframe', embed });
});

test('of old days with a stand-in, the picture is the one of their page', () => {
  expect(run.details('950620').media).toMatchObject([
    { role: 'original', url: expect.stringMatching(/1995\/june\/lens_invented\.gif$/), format: 'gif' },
  ]);
  const message = 'NASA has no picture of 1995-06-22 any more.';
  expect(() => run.details('950622')).toThrow({ kind: 'unsupported', message });
});

test('a day that is not there is notFound', () => {
  expect(() => run.details('260931')).toThrow('notFound');
});

test.each([
  ['https://apod.nasa.gov/apod/ap950620.html', '950620'],
  ['http://apod.nasa.gov/apod/ap950620.html', '950620'],
  ['https://science.nasa.gov/wp-json/wp/v2/apod-basic/950620', '950620'],
  ['https://science.nasa.gov/image-article/apod-1995-june-20-a-placeholder-of-old-days/',
    '1995-june-20-a-placeholder-of-old-days'],
])('%s is the picture of a day', (address, id) => {
  expect(run.match(address)).toHaveProperty('id', id);
  expect(run.details(id)).toHaveProperty('id', '950620');
});

test('a day may be typed in full', () => {
  expect(run.details('1995-06-20')).toHaveProperty('id', '950620');
});
