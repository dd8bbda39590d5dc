// `license` of `require('imgscript')`: the few licences that most sources share, whatever they call them.
(function () {
  'use strict';
  const { freeze } = Object;

  // https://rightsstatements.org/page/1.0/
  const statements = {
    'inc': 'In Copyright', 'inc-ow-eu': 'In Copyright – EU Orphan Work',
    'inc-edu': 'In Copyright – Educational Use Permitted', 'inc-nc': 'In Copyright – Non-Commercial Use Permitted',
    'inc-ruu': 'In Copyright – Rights-holder(s) Unlocatable or Unidentifiable',
    'noc-cr': 'No Copyright – Contractual Restrictions', 'noc-nc': 'No Copyright – Non-Commercial Use Only',
    'noc-oklr': 'No Copyright – Other Known Legal Restrictions', 'noc-us': 'No Copyright – United States',
    'cne': 'Copyright Not Evaluated', 'und': 'Copyright Undetermined', 'nkc': 'No Known Copyright',
  };
  const names = { 'cc0': 'CC0', 'pdm': 'Public Domain Mark' };
  const COMMONS = new RegExp('creativecommons\\.org/(?:licenses/([a-z+-]+)|publicdomain/(zero|mark)'
    + '|share-your-work/public-domain/(cc0|pdm))'
    + '(?:/(\\d\\.\\d))?(?:/([a-z]{2,4})(?=/|$))?');
  const paths = { 'cc0': 'publicdomain/zero', 'pdm': 'publicdomain/mark' };

  function creativeCommons(terms, version, port) {
    const base = names[terms] ?? `CC ${terms.toUpperCase()}`;
    const id = names[terms] ? terms : `cc-${terms}`;
    const numbers = [version, port].filter(Boolean);
    // Without a version there is no text to point at.
    const url = version && ['https://creativecommons.org', paths[terms] ?? `licenses/${terms}`, ...numbers, ''].join('/');
    const name = [base, version, port?.toUpperCase()].filter(Boolean).join(' ');
    return { id: [id, ...numbers].join('-'), name, ...(url && { url }) };
  }

  function fromURL(value) {
    const common = COMMONS.exec(value);
    if (common) {
      const [, terms, tool, shared, version, port] = common;
      const dedication = tool ?? (shared === 'cc0' ? 'zero' : shared && 'mark');
      if (dedication) return creativeCommons(dedication === 'zero' ? 'cc0' : 'pdm', version ?? (shared && '1.0'));
      return /^by(-nc)?(-sa|-nd)?$|^(sa|nc|nd|nc-sa|nd-nc)$/.test(terms) ? creativeCommons(terms, version, port) : undefined;
    }
    const [, code, version] = /rightsstatements\.org\/(?:vocab|page|data)\/([a-z-]+)(?:\/(\d\.\d))?/.exec(value) ?? [];
    if (!Object.hasOwn(statements, code)) return undefined;
    const url = `https://rightsstatements.org/vocab/${spelling(code)}/${version ?? '1.0'}/`;
    return { id: `rs-${code}`, name: statements[code], url };
  }

  /// `InC-OW-EU`, `NoC-US`, `CNE`.
  const spelling = (code) => code.toUpperCase().replace(/^(IN|NO)C/, (head) => ({ INC: 'InC', NOC: 'NoC' })[head]);

  function fromCode(value, version) {
    const code = value.replace(/[\s_-]+/g, '-').replace(/^(attribution|creative-commons)-/, '').replace(/^-|-$/g, '');
    const zero = /^(?:cc-?0|cc-zero|zero)(?:-(\d\.\d))?(?:-universal)?$/.exec(code);
    if (zero) return creativeCommons('cc0', zero[1] ?? version ?? '1.0');
    const mark = /^(?:pdm|public-domain-mark)(?:-(\d\.\d))?$/.exec(code);
    if (mark) return creativeCommons('pdm', mark[1] ?? version ?? '1.0');
    if (/^(?:pd|publicdomain|public-domain)$/.test(code)) return { id: 'public-domain', name: 'Public domain' };
    const [, terms, number, port] = /^(?:cc-)?(by(?:-nc)?(?:-sa|-nd)?)(?:-(\d\.\d)(?:-([a-z]{2,4}))?)?$/.exec(code) ?? [];
    return terms && creativeCommons(terms, number ?? version, port);
  }

  /// The licence behind a Creative Commons or RightsStatements URL, or a code such as `CC BY-SA 4.0`, `by-nc`, `cc0`.
  function license(value, version) {
    if (typeof value !== 'string') return undefined;
    const text = value.trim().toLowerCase();
    return /^(https?:)?\/\//.test(text) ? fromURL(text) : fromCode(text, version == null ? undefined : String(version));
  }

  return freeze(license);
})
