/** @type {import('imgscript').Provider} */
module.exports = require('./data2dome-theme')({
  id: 'esa-hubble',
  name: 'ESA/Hubble',
  root: 'https://esahubble.org',
  summary: 'Photographs of the sky by the Hubble Space Telescope.',
  category: 'science',
  hosts: ['esahubble.org'],
  mediaHosts: ['esahubble.org', '*.esahubble.org'],
  terms: { url: 'https://esahubble.org/copyright/', license: 'CC BY 4.0', attribution: '{credit}' },
});
