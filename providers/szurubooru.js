/** @type {import('imgscript').Provider} */
module.exports = require('./szurubooru-theme')({
  id: 'szurubooru',
  name: 'Szurubooru',
  homepage: 'https://github.com/rr-/szurubooru',
  summary: 'Images of any site that runs Szurubooru.',
  category: 'boards',
  instance: { help: 'A site that runs Szurubooru.' },
  hosts: ['{instance}'],
  mediaHosts: ['*'],
  terms: { license: 'Of their artists, seldom stated' },
});
