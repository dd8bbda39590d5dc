/** @type {import('imgscript').Provider} */
module.exports = require('./data2dome-theme')({
  id: 'noirlab',
  name: 'NOIRLab',
  root: 'https://noirlab.edu/public',
  summary: 'Photographs of the sky, and of the telescopes of the US National Science Foundation.',
  category: 'science',
  hosts: ['noirlab.edu'],
  mediaHosts: ['noirlab.edu', '*.noirlab.edu'],
  terms: { url: 'https://noirlab.edu/public/copyright/', license: 'CC BY 4.0', attribution: '{credit}' },
});
