import { addClass } from './add-class.ts';
import { readBlockMarks } from './block-comment.ts';

/** Blocks whose element lays out what is in it, with the layout they have unless they say otherwise. */
const LAYOUTS: Readonly<Record<string, string>> = { quote: 'flow', group: 'flow', column: 'flow', columns: 'flex' };

/**
 * Takes the marks of blocks away and leaves the line breaks between them. The elements of some blocks get the
 * classes that themes style them by. Blocks without markup of their own leave nothing.
 */
export function renderBlocks(stored: string): string {
  let result = '';
  let end = 0;
  let pending: string[] = [];
  const flush = (upTo: number) => {
    const part = stored.slice(end, upTo);
    result += pending.length > 0 ? addClass(part, pending) : part;
    if (/<[a-z]/i.test(part)) pending = [];
  };
  for (const { kind, name, settings, ...mark } of readBlockMarks(stored)) {
    flush(mark.start);
    end = mark.end;
    pending = kind === 'open' ? classesOf(name, settings) : [];
  }
  flush(stored.length);
  return result;
}

function classesOf(name: string, settings: string): string[] {
  if (name === 'paragraph') return ['wp-block-paragraph'];
  const usual = LAYOUTS[name];
  if (usual === undefined) return [];
  const [, stated = ''] = /"layout":\{([^}]*)/.exec(settings) ?? [];
  const layout = /"type":"(\w+)"/.exec(stated)?.[1] ?? usual;
  const known = layout === 'default' ? 'flow' : layout;
  return [`is-layout-${known}`, `wp-block-${name}-is-layout-${known}`];
}
