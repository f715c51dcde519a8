/** Icons of every site, with the names that content of this interface refers to. */
import drawings from './icons.json' with { type: 'json' };

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
    icons: drawings.map((drawing) => renderIcon(drawing, CORE)),
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
  label?: string | undefined;
  stroke: string;
  fill?: string | undefined;
}
