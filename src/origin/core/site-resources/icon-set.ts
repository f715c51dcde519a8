/** An icon by what is drawn: the `d` of a path on a grid of 24 by 24, in strokes. */
interface Drawing {
  name: string;
  label: string;
  path: string;
}

export interface Icon {
  /** Collection and name. */
  name: string;
  label: string;
  content: string;
  collection: string;
}

export interface IconCollection {
  slug: string;
  label: string;
  description: string;
  icons: readonly Icon[];
}

const CORE: readonly (readonly [name: string, path: string])[] = [
  ['arrow-down-left', 'M18 6 6 18M6 9v9h9'],
  ['arrow-down-right', 'M6 6l12 12M18 9v9H9'],
  ['arrow-down', 'M12 4v16M5 13l7 7 7-7'],
  ['arrow-left', 'M20 12H4M11 5l-7 7 7 7'],
  ['arrow-right', 'M4 12h16M13 5l7 7-7 7'],
  ['arrow-up-left', 'M18 18 6 6M6 15V6h9'],
  ['arrow-up-right', 'M6 18 18 6M18 15V6H9'],
  ['arrow-up', 'M12 20V4M5 11l7-7 7 7'],
  ['at-symbol', 'M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0v1.5a2.5 2.5 0 0 0 5 0V12a9 9 0 1 0-4 7.5'],
  ['audio', 'M4 9v6h4l6 5V4L8 9H4M17 9a4 4 0 0 1 0 6'],
  ['bell', 'M6 17V11a6 6 0 0 1 12 0v6l2 1H4l2-1M10 21h4'],
  ['calendar', 'M4 6h16v14H4zM4 10h16M8 3v5M16 3v5'],
  ['cart', 'M3 4h3l2 11h10l2-8H7M10 20h.01M17 20h.01'],
  ['caution', 'M12 3 2 20h20L12 3M12 10v4M12 17h.01'],
  ['chart-bar', 'M4 20h16M7 20v-7M12 20V5M17 20v-10'],
  ['check', 'M4 13l5 5L20 6'],
  ['chevron-down', 'M6 9l6 6 6-6'],
  ['chevron-left', 'M15 6l-6 6 6 6'],
  ['chevron-right', 'M9 6l6 6-6 6'],
  ['chevron-up', 'M6 15l6-6 6 6'],
  ['close', 'M5 5l14 14M19 5 5 19'],
  ['comment', 'M4 5h16v11H10l-5 4v-4H4z'],
  ['copy', 'M9 9h11v11H9zM15 9V4H4v11h5'],
  ['download', 'M12 4v11M7 10l5 5 5-5M4 20h16'],
  ['envelope', 'M3 6h18v12H3zM3 7l9 6 9-6'],
  ['external', 'M10 5H5v14h14v-5M14 4h6v6M20 4l-9 9'],
  ['file', 'M6 3h8l4 4v14H6zM14 3v4h4'],
  ['gallery', 'M3 7h14v12H3zM7 4h14v11M6 16l4-4 4 4'],
  ['globe', 'M3 12a9 9 0 1 0 18 0 9 9 0 0 0-18 0M3 12h18M12 3c5 5 5 13 0 18M12 3c-5 5-5 13 0 18'],
  ['help', 'M3 12a9 9 0 1 0 18 0 9 9 0 0 0-18 0M9 10a3 3 0 1 1 4 3l-1 1M12 17h.01'],
  ['home', 'M4 11l8-7 8 7v9h-5v-6H9v6H4z'],
  ['image', 'M3 5h18v14H3zM6 16l4-5 3 3 2-2 3 4M16 9h.01'],
  ['info', 'M3 12a9 9 0 1 0 18 0 9 9 0 0 0-18 0M12 11v6M12 7h.01'],
  ['link', 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1'],
  ['list', 'M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01'],
  ['lock', 'M5 11h14v9H5zM8 11V8a4 4 0 0 1 8 0v3'],
  ['map-marker', 'M12 21c-4-5-6-8-6-11a6 6 0 0 1 12 0c0 3-2 6-6 11M12 11h.01'],
  ['menu', 'M4 6h16M4 12h16M4 18h16'],
  ['minus', 'M5 12h14'],
  ['mobile', 'M7 3h10v18H7zM11 18h2'],
  ['pencil', 'M4 20l1-5L16 4l4 4L9 19l-5 1M13 7l4 4'],
  ['people', 'M5 20c0-4 2-6 4-6s4 2 4 6M6 9a3 3 0 1 0 6 0 3 3 0 0 0-6 0M15 6a3 3 0 0 1 0 6M16 14c2 0 4 2 4 6'],
  ['plus', 'M12 5v14M5 12h14'],
  ['search', 'M4 10a6 6 0 1 0 12 0 6 6 0 0 0-12 0M15 15l5 5'],
  ['share', 'M18 5h.01M6 12h.01M18 19h.01M7 11l10-5M7 13l10 5'],
  ['tag', 'M4 4h8l8 8-8 8-8-8zM8 8h.01'],
  ['trash', 'M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5'],
  ['upload', 'M12 15V4M7 9l5-5 5 5M4 20h16'],
  ['video', 'M3 6h12v12H3zM15 11l6-4v10l-6-4'],
];

const BUILDING: readonly (readonly [name: string, path: string])[] = [
  ['cartridge', 'M9 21V8h6v13zM9 17h6M11 8V5h2v3M12 5V2'],
  ['delivery', 'M2 6h11v10H2zM13 9h5l3 4v3h-8M6 19h.01M17 19h.01'],
  ['fire', 'M12 21c-4 0-6-3-6-6 0-4 4-5 4-11 4 2 8 6 8 11 0 3-2 6-6 6M12 21c-2-2-2-4 0-6 2 2 2 4 0 6'],
  ['humidity', 'M12 3c4 5 6 8 6 11a6 6 0 0 1-12 0c0-3 2-6 6-11M9 15a3 3 0 0 0 3 3'],
  ['insulation', 'M4 4h16v16H4zM4 8c3 3 5-3 8 0s5-3 8 0M4 16c3 3 5-3 8 0s5-3 8 0'],
  ['pallet', 'M3 18h18M5 18v3M12 18v3M19 18v3M5 14h14v-9H5zM12 5v9'],
  ['roof', 'M2 13l10-8 10 8M6 11v9h12v-9M10 20v-5h4v5'],
  ['ruler', 'M3 8h18v8H3zM7 8v3M11 8v5M15 8v3M19 8v5'],
  ['tape', 'M4 12a7 7 0 1 0 14 0 7 7 0 0 0-14 0M8 12a3 3 0 1 0 6 0 3 3 0 0 0-6 0M11 19h10v-3'],
  ['temperature', 'M10 14V5a2 2 0 0 1 4 0v9a4 4 0 1 1-4 0M12 9v8'],
  ['tightness', 'M4 4v16M20 4v16M8 12h8M13 9l3 3-3 3'],
  ['window', 'M4 3h16v18H4zM12 3v18M4 12h16'],
];

export const ICON_COLLECTIONS: readonly IconCollection[] = [
  collect('core', 'Basics', 'Signs that every site needs.', CORE),
  collect('building', 'Building', 'What building materials are, and what they are measured by.', BUILDING),
];

function collect(
  slug: string,
  label: string,
  description: string,
  drawings: readonly (readonly [string, string])[],
): IconCollection {
  const icons = drawings.map(([name, path]) => draw({ name: `${slug}/${name}`, label: labelOf(name), path }, slug));
  return { slug, label, description, icons };
}

function draw({ name, label, path }: Drawing, collection: string): Icon {
  const content =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75"' +
    ` stroke-linecap="round" stroke-linejoin="round"><path d="${path}"/></svg>`;
  return { name, label, content, collection };
}

function labelOf(name: string): string {
  return name.replaceAll(/(?:^|-)([a-z])/g, (part, letter: string) =>
    part.replace('-', ' ').replace(letter, letter.toUpperCase()),
  );
}
