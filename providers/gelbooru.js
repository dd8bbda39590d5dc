/** @type {import('imgscript').Provider} */
module.exports = require('./gelbooru-theme')({
  id: 'gelbooru',
  name: 'Gelbooru',
  homepage: 'https://gelbooru.com/',
  summary: 'Illustrations in the style of anime; also any other site that runs Gelbooru.',
  category: 'boards',
  adult: true,
  instance: { default: 'https://gelbooru.com', help: 'A site that runs Gelbooru 0.2 or later.' },
  hosts: ['{instance}'],
  mediaHosts: ['*'],
  // gelbooru.com requires a key; other sites may not.
  auth: {
    type: 'query',
    fields: { api_key: '{key}', user_id: '{user}' },
    optional: true,
    help: 'https://gelbooru.com/index.php?page=account&s=options',
  },
  ratings: ['general', 'sensitive', 'questionable', 'explicit', 'safe'],
  terms: { url: 'https://gelbooru.com/tos.php', license: 'Of their artists, seldom stated' },
});
