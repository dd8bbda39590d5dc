// @ts-check
// The icons of what opens beside the grid, which join those of index.html.

const PATHS = {
  close: 'm6 6 12 12M18 6 6 18',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  left: 'm14.5 5-7 7 7 7',
  right: 'm9.5 5 7 7-7 7',
  clock: 'M4 12a8 8 0 1 0 16 0a8 8 0 1 0-16 0M12 7.5V12l3 2',
  key: 'M4 15a4 4 0 1 0 8 0a4 4 0 1 0-8 0M11 12l8-8M16 7l3 3',
  warning: 'M12 4.5 3.5 19h17zM12 10v4M12 16.6v.2',
  info: 'M4 12a8 8 0 1 0 16 0a8 8 0 1 0-16 0M12 11v5M12 8v.2',
  download: 'M12 4v11m-4.5-4.5L12 15l4.5-4.5M5 19.5h14',
  share: 'M12 15V4M8 7.5 12 4l4 3.5M6 12v7.5h12V12',
  'zoom-in': 'M4.5 11a6.5 6.5 0 1 0 13 0a6.5 6.5 0 1 0-13 0M16 16l4.5 4.5M8.5 11h5M11 8.5v5',
  'zoom-out': 'M4.5 11a6.5 6.5 0 1 0 13 0a6.5 6.5 0 1 0-13 0M16 16l4.5 4.5M8.5 11h5',
  fullscreen: 'M4.5 9V4.5H9M15 4.5h4.5V9M19.5 15v4.5H15M9 19.5H4.5V15',
  folder: 'M4 18.5v-12h6l2 2.5h8v9.5z',
  trash: 'M5 7.5h14M9.5 7V4.5h5V7M7 7.5l1 12h8l1-12M10.5 11v5M13.5 11v5',
  external: 'M13 5h6v6M19 5l-9 9M16 14v5H5V8h5',
  copy: 'M10.5 8.5h7a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2h-7a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2z'
    + 'M15.5 8.5V6.5a2 2 0 0 0-2-2h-7a2 2 0 0 0-2 2v7a2 2 0 0 0 2 2h2',
};

for (const [name, d] of Object.entries(PATHS)) {
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.id = `icon-${name}`;
  path.setAttribute('d', d);
  document.querySelector('.sprite')?.append(path);
}
