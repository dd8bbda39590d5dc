/** @type {import('imgscript').Provider} */
module.exports = require('./gelbooru-theme')({
  id: 'safebooru',
  name: 'Safebooru',
  homepage: 'https://safebooru.org/',
  summary: 'Illustrations in the style of anime that nobody need hide.',
  hosts: ['safebooru.org'],
  mediaHosts: ['safebooru.org', '*.safebooru.org'],
  terms: { url: 'https://safebooru.org/index.php?page=tos', license: 'Of their artists, seldom stated' },
});
