const { test, expect, run } = require('imgscript/test');

test('the catalogue gives photographs under CC0', () => {
  const { items, total } = run.feed();
  expect(total).toBe(16);
  expect(items[0]).toMatchObject({
    id: '990000',
    title: 'Enamel coffee pot on a blue stove',
    page: 'https://nappy.co/photo/990000/enamel-coffee-pot-on-a-blue-stove',
    tags: ['coffee', 'pot', 'enamel'],
    author: { name: 'odalysfernwick', url: 'https://nappy.co/odalysfernwick' },
    license: { id: 'cc0-1.0' },
    stats: { views: 40000, downloads: 900, saves: 0 },
    media: [{ role: 'original', width: 4000, height: 3000, format: 'jpeg' }],
    extra: { filesize: '200.5kB' }, // rounded, so not the length of the file
  });
});

test('the last page names no next one', () => {
  expect(run.feed({ page: 2 }).items).toHaveLength(6);
  expect(run.feed({ page: 2 })).toMatchObject({ next: null });
});

test('a catalogue that is not there says so', () => {
  expect(() => run.feed({ page: 99 })).toThrow('notFound');
});
