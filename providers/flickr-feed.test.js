const { test, expect, run, cassette } = require('imgscript/test');

test('JSON with an escape that JSON forbids is read all the same', () => {
  cassette('search');
  const [photo] = run.search('coffee').items;
  expect(photo).toMatchObject({
    id: '99760100000',
    title: 'Enamel coffee pot on a blue stove',
    description: 'Line one,\nand two.',
    page: 'https://www.flickr.com/photos/odalysfernwick/99760100000/',
    tags: ['coffee', 'pot', 'enamel'],
    author: { name: 'Odalys Fernwick', id: '909013500@N01' },
    created: '2024-05-01T09:12:30-08:00',
    extra: { published: '2024-06-01T10:00:00Z' },
  });
});

test('the one size that is given stands for its neighbours', () => {
  const [{ media }] = run.search('coffee').items;
  expect(media.map(({ role, url }) => [role, url.replace(/.*_cddbcad3e6/, '')])).toEqual([
    ['regular', '.jpg'], ['small', '_m.jpg'], ['thumbnail', '_t.jpg'],
  ]);
  expect(media[1]).toMatchObject({ width: 240, height: 180 });
});

test('Atom and RSS give the same photos, and larger files', () => {
  const [atom] = run.feed({ params: { tags: ['coffee', 'rain'], tagmode: 'any', format: 'atom' } }).items;
  expect(atom).toMatchObject({ id: '99760100000', title: 'Enamel coffee pot on a blue stove' });
  expect(atom.media[0].role).toMatch(/original|large/);
  const [rss] = run.feed({ params: { format: 'rss_200' } }).items;
  expect(rss).toMatchObject({ id: '99760107919', author: { name: 'Petra Mustermann' } });
});

test('a user and a group are collections, by their id', () => {
  expect(run.collection('user:909013577@N01').items).toHaveLength(3);
  expect(run.collection('group:909900001@N20').items).toHaveLength(2);
  expect(run.match('group:909900001@N20')).toMatchObject({ id: 'group:909900001@N20', type: 'collection' });
});

test('a feed is one page', () => {
  expect(run.feed().next).toBeNull();
  expect(run.search('zzzznothing').items).toEqual([]);
  expect(() => run.search('gone')).toThrow('notFound');
});
