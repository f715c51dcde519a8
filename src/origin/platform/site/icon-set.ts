/** Icons of every site, with the names that content of this interface refers to. */
import drawings from './icons.json' with { type: 'json' };

export type IconCollection = (typeof ICON_COLLECTIONS)[number];
export type Icon = ReturnType<typeof renderIcon>;

export const ICON_COLLECTIONS = [
  { slug: 'core', label: 'Basics', description: 'Icons for every site.', icons: drawings.map(renderIcon) },
];

/** Draws an icon from the `d` attributes of its paths, on a grid of 24 by 24. */
function renderIcon({ name, label = labelOf(name), stroke, fill }: (typeof drawings)[number]) {
  const filled = fill === undefined ? '' : `<path fill="currentColor" d="${fill}"/>`;
  const content =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75"' +
    ` stroke-linecap="round" stroke-linejoin="round"><path d="${stroke}"/>${filled}</svg>`;
  return { name: `core/${name}`, label, content, collection: 'core' };
}

function labelOf(name: string): string {
  return name.replaceAll(/(?:^|-)([a-z])/g, (part, letter: string) =>
    part.replace('-', ' ').replace(letter, letter.toUpperCase()),
  );
}
