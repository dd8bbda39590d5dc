/** @type {import('imgscript').Provider} */
module.exports = require('./moebooru-theme')({
  id: 'moebooru',
  name: 'Moebooru',
  homepage: 'https://github.com/moebooru/moebooru',
  summary: 'Illustrations of any site that runs Moebooru.',
  category: 'boards',
  instance: { help: 'A site that runs Moebooru.' },
  hosts: ['{instance}'],
  mediaHosts: ['*'],
  terms: { license: 'Of their artists, seldom stated' },
});
