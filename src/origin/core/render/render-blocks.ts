import { addClass } from './add-class.ts';
import { BLOCK_MARK, readBlockMark } from './block-comment.ts';

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
  for (const match of stored.matchAll(BLOCK_MARK)) {
    flush(match.index);
    end = match.index + match[0].length;
    const { kind, name, settings } = readBlockMark(match);
    pending = kind === 'open' ? classesOf(name, settings) : [];
  }
  flush(stored.length);
  return result;
}

function classesOf(name: string, settings: string): string[] {
  if (name === 'paragraph') return ['wp-block-paragraph'];
  const usual = LAYOUTS[name];
  if (usual === undefined) return [];
  const layout = /"layout":\{[^}]*"type":"(\w+)"/.exec(settings)?.[1] ?? usual;
  const known = layout === 'default' ? 'flow' : layout;
  return [`is-layout-${known}`, `wp-block-${name}-is-layout-${known}`];
}
