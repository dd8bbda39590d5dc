/** @type {import('imgscript').Provider} */
module.exports = require('./philomena-theme')({
  id: 'philomena',
  name: 'Philomena',
  homepage: 'https://github.com/philomena-dev/philomena',
  summary: 'Fan art of any site that runs Philomena.',
  category: 'boards',
  instance: { help: 'A site that runs Philomena.' },
  help: 'from that server, at /registrations/edit',
  hosts: ['{instance}'],
  mediaHosts: ['*'],
  terms: { license: 'Of their artists, seldom stated' },
});
