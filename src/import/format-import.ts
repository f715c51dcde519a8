import type { KindAccount, LeftOut } from './account.ts';
import type { SiteImport } from './import-site.ts';

const NAMES: Readonly<Record<KindAccount['kind'], string>> = {
  user: 'Users',
  category: 'Categories',
  tag: 'Tags',
  settings: 'Settings',
  media: 'Media',
  page: 'Pages',
  post: 'Posts',
  comment: 'Comments',
  product: 'Products',
};
const SHOWN = 5;

/** The account of an import for a person: a table, then what stayed behind and why. */
export function formatImport({ source, changed, kinds }: SiteImport): {
  message: string;
  rows: Record<string, unknown>[];
} {
  const rows = kinds.map(({ kind, found, added, updated, unchanged, left }) => ({
    '': NAMES[kind],
    found,
    new: added,
    changed: updated,
    unchanged,
    'left out': left.reduce((sum, { count }) => sum + count, 0),
  }));
  const lines = kinds.flatMap(({ kind, left, lost, notes }) => [
    ...left.map((entry) => `${NAMES[kind]}, left out: ${describe(entry, countOf(entry))}`),
    ...lost.map((entry) => `${NAMES[kind]}, incomplete: ${describe(entry)}`),
    ...notes.map((entry) => `${NAMES[kind]}: ${describe(entry)}`),
  ]);
  return { message: ['', ...lines, summarise(source, changed, kinds)].join('\n'), rows };
}

/** Of what could not be counted there is at least one. */
function countAll(entries: readonly LeftOut[]): number {
  return entries.reduce((total, { count }) => total + Math.max(count, 1), 0);
}

/** The last line: what came, and whether all of it did. */
function summarise(source: string, changed: boolean, kinds: readonly KindAccount[]): string {
  const sum = (count: (kind: KindAccount) => number) => kinds.reduce((total, kind) => total + count(kind), 0);
  const added = sum((kind) => kind.added);
  const updated = sum((kind) => kind.updated);
  const came = changed
    ? `Imported ${source}: ${added} new, ${updated} changed.`
    : `Nothing at ${source} has changed since the last import.`;
  const left = sum((kind) => countAll(kind.left));
  const lost = sum((kind) => countAll(kind.lost));
  if (left + lost === 0) return came;
  return `${came} Not everything could be kept: ${left} left out, ${lost} incomplete (see the lines above).`;
}

/** Of what could not be counted there may be any number. */
function countOf({ count }: LeftOut): string {
  return count === 0 ? 'those ' : `${count} `;
}

function describe({ reason, count, which }: LeftOut, counted = ''): string {
  if (which.length === 0) return counted + reason;
  const more = count > SHOWN ? ` and ${count - SHOWN} more` : '';
  return `${reason}: ${which.slice(0, SHOWN).join(', ')}${more}`;
}
