/** @type {import('imgscript').Provider} */
module.exports = require('./gelbooru-theme')({
  id: 'safebooru',
  name: 'Safebooru',
  homepage: 'https://safebooru.org/',
  summary: 'Illustrations in the style of anime that nobody need hide.',
  category: 'boards',
  hosts: ['safebooru.org'],
  mediaHosts: ['safebooru.org', '*.safebooru.org'],
  // It may come to ask for a key, as gelbooru.com and rule34.xxx do.
  auth: {
    type: 'query',
    fields: { api_key: '{key}', user_id: '{user}' },
    optional: true,
    help: 'https://safebooru.org/index.php?page=account&s=options',
  },
  terms: { url: 'https://safebooru.org/index.php?page=tos', license: 'Of their artists, seldom stated' },
});
