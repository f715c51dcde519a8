const CIRCLE = 'M3 12a9 9 0 1 0 18 0 9 9 0 0 0-18 0';

const STAR = 'M12 3.5L14.4 9.5L20.8 9.9L15.8 14L17.4 20.2L12 16.8L6.6 20.2L8.2 14L3.2 9.9L9.6 9.5z';

const DIAMONDS = 'M12 2.5l3 3-3 3-3-3zM12 15.5l3 3-3 3-3-3zM5.5 9l3 3-3 3-3-3zM18.5 9l3 3-3 3-3-3z';

/** Icons of every site, with the names that content of this interface refers to. */
const ICON_DRAWINGS: readonly IconDrawing[] = [
  { name: 'arrow-down-left', stroke: 'M18 6 6 18M6 9v9h9' },
  { name: 'arrow-down-right', stroke: 'M6 6l12 12M18 9v9H9' },
  { name: 'arrow-down', stroke: 'M12 4v16M5 13l7 7 7-7' },
  { name: 'arrow-left', stroke: 'M20 12H4M11 5l-7 7 7 7' },
  { name: 'arrow-right', stroke: 'M4 12h16M13 5l7 7-7 7' },
  { name: 'arrow-up-left', stroke: 'M18 18 6 6M6 15V6h9' },
  { name: 'arrow-up-right', stroke: 'M6 18 18 6M18 15V6H9' },
  { name: 'arrow-up', stroke: 'M12 20V4M5 11l7-7 7 7' },
  {
    name: 'at-symbol',
    stroke: 'M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0v1.5a2.5 2.5 0 0 0 5 0V12a9 9 0 1 0-4 7.5',
    label: 'At Symbol (@)',
  },
  { name: 'audio', stroke: 'M4 9v6h4l6 5V4L8 9H4M17 9a4 4 0 0 1 0 6' },
  { name: 'bell', stroke: 'M6 17V11a6 6 0 0 1 12 0v6l2 1H4l2-1M10 21h4' },
  { name: 'block-default', stroke: 'M4 9h16v10H4zM7 9V6h3v3M14 9V6h3v3' },
  {
    name: 'block-meta',
    stroke:
      'M9 4C7 4 6 5 6 7v2c0 2-1 3-2 3 1 0 2 1 2 3v2c0 2 1 3 3 3M15 4c2 0 3 1 3 3v2c0 2 1 3 2 3-1 0-2 1-2 3v2c0 2-1 3-3 3M12 9h.01M12 15h.01',
  },
  { name: 'block-table', stroke: 'M3 4h18v16H3zM3 9h18M3 14.5h18M12 9v11' },
  { name: 'calendar', stroke: 'M4 6h16v14H4zM4 10h16M8 3v5M16 3v5' },
  { name: 'capture-photo', stroke: 'M3 8h4l2-3h6l2 3h4v12H3zM8.5 13.5a3.5 3.5 0 1 0 7 0 3.5 3.5 0 0 0-7 0' },
  { name: 'capture-video', stroke: 'M3 7h11v10H3zM14 11l7-4v10l-7-4' },
  { name: 'cart', stroke: 'M3 4h3l2 11h10l2-8H7M10 20h.01M17 20h.01' },
  { name: 'category', stroke: 'M3 5h7l2 3h9v11H3z' },
  { name: 'caution', stroke: 'M12 3 2 20h20L12 3M12 10v4M12 17h.01' },
  { name: 'chart-bar', stroke: 'M4 20h16M7 20v-7M12 20V5M17 20v-10' },
  { name: 'check', stroke: 'M4 13l5 5L20 6' },
  { name: 'chevron-down', stroke: 'M6 9l6 6 6-6' },
  { name: 'chevron-down-small', stroke: 'M9 10.5l3 3 3-3' },
  { name: 'chevron-left', stroke: 'M15 6l-6 6 6 6' },
  { name: 'chevron-left-small', stroke: 'M13.5 9l-3 3 3 3' },
  { name: 'chevron-right', stroke: 'M9 6l6 6-6 6' },
  { name: 'chevron-right-small', stroke: 'M10.5 9l3 3-3 3' },
  { name: 'chevron-up', stroke: 'M6 15l6-6 6 6' },
  { name: 'chevron-up-down', stroke: 'M8 9l4-4 4 4M8 15l4 4 4-4' },
  { name: 'chevron-up-small', stroke: 'M9 13.5l3-3 3 3' },
  { name: 'comment', stroke: 'M4 5h16v11H10l-5 4v-4H4z' },
  { name: 'cover', stroke: 'M3 5h18v14H3zM7 10h10M9 14h6' },
  { name: 'create', stroke: 'M13 4H4v16h16v-9M17 3v8M13 7h8' },
  { name: 'desktop', stroke: 'M3 4h18v12H3zM12 16v4M8 20h8' },
  { name: 'download', stroke: 'M12 4v11M7 10l5 5 5-5M4 20h16' },
  { name: 'drawer-left', stroke: 'M3 5h18v14H3zM9 5v14M6 8v.01M6 11v.01' },
  { name: 'drawer-right', stroke: 'M3 5h18v14H3zM15 5v14M18 8v.01M18 11v.01' },
  { name: 'envelope', stroke: 'M3 6h18v12H3zM3 7l9 6 9-6' },
  { name: 'error', stroke: 'M8 3h8l5 5v8l-5 5H8l-5-5V8zM12 8v5M12 16h.01' },
  { name: 'external', stroke: 'M10 5H5v14h14v-5M14 4h6v6M20 4l-9 9' },
  { name: 'file', stroke: 'M6 3h8l4 4v14H6zM14 3v4h4' },
  { name: 'gallery', stroke: 'M3 7h14v12H3zM7 4h14v11M6 16l4-4 4 4' },
  { name: 'group', stroke: 'M4 4h10v10H4zM14 10h6v10H10v-6' },
  { name: 'heading', stroke: 'M6 4v16M18 4v16M6 12h12' },
  { name: 'help', stroke: `${CIRCLE}M9 10a3 3 0 1 1 4 3l-1 1M12 17h.01` },
  { name: 'home', stroke: 'M4 11l8-7 8 7v9h-5v-6H9v6H4z' },
  { name: 'image', stroke: 'M3 5h18v14H3zM6 16l4-5 3 3 2-2 3 4M16 9h.01' },
  { name: 'info', stroke: `${CIRCLE}M12 11v6M12 7h.01` },
  { name: 'key', stroke: 'M4 16a4 4 0 1 0 8 0 4 4 0 0 0-8 0M11 13l9-9M16 8l3 3M13.5 10.5l2 2' },
  { name: 'language', stroke: 'M3 5h10M8 3v2M11 5c-1 4-4 7-8 9M5 8c1 3 4 5 6.5 6M13 21l4-10 4 10M14.5 17.5h5' },
  { name: 'map-marker', stroke: 'M12 21c-4-5-6-8-6-11a6 6 0 0 1 12 0c0 3-2 6-6 11M12 11h.01' },
  { name: 'menu', stroke: 'M4 6h16M4 12h16M4 18h16' },
  { name: 'mobile', stroke: 'M7 3h10v18H7zM11 18h2' },
  {
    name: 'more-horizontal',
    stroke: 'M4 12a1 1 0 1 0 2 0 1 1 0 0 0-2 0M11 12a1 1 0 1 0 2 0 1 1 0 0 0-2 0M18 12a1 1 0 1 0 2 0 1 1 0 0 0-2 0',
  },
  {
    name: 'more-vertical',
    stroke: 'M11 5a1 1 0 1 0 2 0 1 1 0 0 0-2 0M11 12a1 1 0 1 0 2 0 1 1 0 0 0-2 0M11 19a1 1 0 1 0 2 0 1 1 0 0 0-2 0',
  },
  { name: 'next', stroke: 'M6 5l9 7-9 7zM18 5v14' },
  { name: 'paragraph', stroke: 'M19 4h-9a4 4 0 0 0 0 8h3M13 4v16M17 4v16' },
  { name: 'payment', stroke: 'M3 6h18v12H3zM3 10h18M7 15h3' },
  { name: 'pencil', stroke: 'M4 20l1-5L16 4l4 4L9 19l-5 1M13 7l4 4' },
  {
    name: 'people',
    stroke: 'M5 20c0-4 2-6 4-6s4 2 4 6M6 9a3 3 0 1 0 6 0 3 3 0 0 0-6 0M15 6a3 3 0 0 1 0 6M16 14c2 0 4 2 4 6',
  },
  { name: 'plus', stroke: 'M12 5v14M5 12h14' },
  { name: 'plus-circle', stroke: `${CIRCLE}M12 8v8M8 12h8` },
  { name: 'previous', stroke: 'M18 5l-9 7 9 7zM6 5v14' },
  { name: 'published', stroke: `${CIRCLE}M8 12.5l3 3 5-6` },
  { name: 'quote', stroke: 'M10 6c-3 1-5 3-5 7v5h5v-5H5M20 6c-3 1-5 3-5 7v5h5v-5h-5' },
  { name: 'receipt', stroke: 'M6 3h12v18l-3-2-3 2-3-2-3 2zM9 8h6M9 12h6' },
  { name: 'rss', stroke: 'M5 19h.01M5 12a7 7 0 0 1 7 7M5 5a14 14 0 0 1 14 14', label: 'RSS' },
  { name: 'scheduled', stroke: `${CIRCLE}M12 7v5l3 3` },
  { name: 'search', stroke: 'M4 10a6 6 0 1 0 12 0 6 6 0 0 0-12 0M15 15l5 5' },
  {
    name: 'settings',
    stroke: 'M4 7h9M17 7h3M4 17h3M11 17h9M13 7a2 2 0 1 0 4 0 2 2 0 0 0-4 0M7 17a2 2 0 1 0 4 0 2 2 0 0 0-4 0',
  },
  { name: 'shadow', stroke: 'M4 4h12v12H4zM8 20h12V8' },
  {
    name: 'share',
    stroke:
      'M14.5 5a2.5 2.5 0 1 0 5 0 2.5 2.5 0 0 0-5 0M3.5 12a2.5 2.5 0 1 0 5 0 2.5 2.5 0 0 0-5 0M14.5 19a2.5 2.5 0 1 0 5 0 2.5 2.5 0 0 0-5 0M8.2 10.7l6.6-4.3M8.2 13.3l6.6 4.3',
  },
  { name: 'shield', stroke: 'M12 3l8 3v6c0 5-3 7-8 9-5-2-8-4-8-9V6z' },
  { name: 'shuffle', stroke: 'M3 7h4l10 10h4M18 14l3 3-3 3M3 17h4l3-3M14 10l3-3h4M18 4l3 3-3 3' },
  { name: 'star-empty', stroke: STAR },
  { name: 'star-filled', stroke: STAR, fill: STAR },
  { name: 'star-half', stroke: STAR, fill: 'M12 3.5L12 16.8L6.6 20.2L8.2 14L3.2 9.9L9.6 9.5z' },
  { name: 'store', stroke: 'M5 11v9h14v-9M5 4h14l2 5a3 3 0 0 1-6 0 3 3 0 0 1-6 0 3 3 0 0 1-6 0zM10 20v-5h4v5' },
  { name: 'styles', stroke: CIRCLE, fill: 'M12 3a9 9 0 0 1 0 18z' },
  { name: 'symbol', stroke: DIAMONDS },
  { name: 'symbol-filled', stroke: DIAMONDS, fill: DIAMONDS },
  { name: 'table', stroke: 'M3 5h18v14H3zM3 10h18M9 5v14M15 5v14' },
  { name: 'tablet', stroke: 'M5 3h14v18H5zM11 18h2' },
  { name: 'tag', stroke: 'M4 4h8l8 8-8 8-8-8zM8 8h.01' },
  { name: 'tip', stroke: 'M9 18h6M10 21h4M9 18c0-2 0-3-1-4a6 6 0 1 1 8 0c-1 1-1 2-1 4' },
  { name: 'upload', stroke: 'M12 15V4M7 9l5-5 5 5M4 20h16' },
  { name: 'verse', stroke: 'M4 6h9M4 10h6M4 14h8M4 18h5M13 18l1-4 6-6 2 2-6 6-3 2' },
];

export interface Icon {
  /** Collection and name, such as `core/search`. */
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

const CORE = 'core';

export const ICON_COLLECTIONS: readonly IconCollection[] = [
  {
    slug: CORE,
    label: 'Basics',
    description: 'Icons for every site.',
    icons: ICON_DRAWINGS.map((drawing) => renderIcon(drawing, CORE)),
  },
];

function renderIcon({ name, label = labelOf(name), stroke, fill }: IconDrawing, collection: string): Icon {
  const filled = fill === undefined ? '' : `<path fill="currentColor" d="${fill}"/>`;
  const content =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75"' +
    ` stroke-linecap="round" stroke-linejoin="round"><path d="${stroke}"/>${filled}</svg>`;
  return { name: `${collection}/${name}`, label, content, collection };
}

function labelOf(name: string): string {
  return name.replaceAll(/(?:^|-)([a-z])/g, (part, letter: string) =>
    part.replace('-', ' ').replace(letter, letter.toUpperCase()),
  );
}

/** An icon as `d` attributes of paths on a grid of 24 by 24. */
interface IconDrawing {
  name: string;
  /** @default the words of the name, capitalised */
  label?: string;
  stroke: string;
  fill?: string;
}
