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
  const lines = kinds.flatMap(({ kind, left, notes }) => [
    ...left.map((entry) => `${NAMES[kind]}, left out: ${describe(entry, countOf(entry))}`),
    ...notes.map((entry) => `${NAMES[kind]}: ${describe(entry)}`),
  ]);
  const last = changed ? `${source} came over.` : `Nothing at ${source} is different from before.`;
  return { message: ['', ...lines, last].join('\n'), rows };
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
