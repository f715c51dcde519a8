import { countNoun, formatIssueLines } from '#contracts/index.ts';
import type { KindReport, LeftOut } from './import-report.ts';
import type { SiteImport } from './import-site.ts';

type Kind = KindReport['kind'];

const NAMES: Readonly<Record<Kind, { heading: string; noun: string }>> = {
  user: { heading: 'Users', noun: 'user' },
  category: { heading: 'Categories', noun: 'category' },
  tag: { heading: 'Tags', noun: 'tag' },
  settings: { heading: 'Settings', noun: 'group of settings' },
  media: { heading: 'Media', noun: 'media item' },
  page: { heading: 'Pages', noun: 'page' },
  post: { heading: 'Posts', noun: 'post' },
  podcast: { heading: 'Podcast', noun: 'podcast' },
  show: { heading: 'Shows', noun: 'show' },
  episode: { heading: 'Episodes', noun: 'episode' },
  comment: { heading: 'Comments', noun: 'comment' },
  product: { heading: 'Products', noun: 'product record' },
};
const SHOWN = 5;

const AGAIN = 'then run the same command again: it brings what is missing.';
/** What to do, by the words of the reason; what has none of its own is corrected where it comes from. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/not shown to this account|can not be read/, `Import with an administrator's account (--user), ${AGAIN}`],
  [/--files-from/, `Add --files-from with that address, if you trust it, ${AGAIN}`],
  [/stays where it is|did not come|has no file/, `See whether the file is still there, ${AGAIN}`],
  [/was changed here|was written here already/, 'Nothing, if yours is right; otherwise copy what is wanted by hand.'],
  [/was deleted there/, 'Delete it here too, if it is not wanted any more.'],
  [
    /shortcodes that|only their own site can run/,
    'Open it here, and put something in the place of what does not work.',
  ],
  [/refers to what did not come/, `Look above for why that did not come, see to it, ${AGAIN}`],
  [/not known there|not there in this language/, 'Nothing, if that is so; otherwise correct the list of GTINs.'],
];
const CORRECT = `Have it corrected there, ${AGAIN}`;
const ALL_IS_WELL = /^came with the HTML/;

const SECTIONS = [
  { list: 'left', title: 'Left out' },
  { list: 'lost', title: 'Here, but not as it was there' },
  { list: 'notes', title: 'Good to know' },
] as const;

/** The account of an import for a person: a table, then what stayed behind, why, and what to do about it. */
export function formatImport(
  { source, changed, kinds }: SiteImport,
  { shown = SHOWN, reportFile }: { shown?: number; reportFile?: string | undefined } = {},
): { message: string; rows: Record<string, unknown>[] } {
  const rows = kinds.map(({ kind, found, added, updated, unchanged, left }) => ({
    '': NAMES[kind].heading,
    found,
    new: added,
    changed: updated,
    unchanged,
    'left out': left.reduce((sum, { count }) => sum + count, 0),
  }));
  const sections = SECTIONS.flatMap(({ list, title }) => {
    const entries = kinds.flatMap((report) => report[list].map((entry) => describe(report.kind, entry, shown)));
    return entries.length > 0 ? [`${title}:`, formatIssueLines(entries), ''] : [];
  });
  const report = reportFile === undefined ? [] : [`Full report: ${reportFile}`];
  return { message: ['', ...sections, ...report, summarise(source, changed, kinds)].join('\n'), rows };
}

function countAll(entries: readonly LeftOut[]): number {
  return entries.reduce((total, { count }) => total + count, 0);
}

/** The last line: what came, and whether all of it did. */
function summarise(source: string, changed: boolean, kinds: readonly KindReport[]): string {
  const sum = (count: (kind: KindReport) => number) => kinds.reduce((total, kind) => total + count(kind), 0);
  const added = sum((kind) => kind.added);
  const updated = sum((kind) => kind.updated);
  const came = changed
    ? `Imported ${source}: ${added} new, ${updated} changed.`
    : `Nothing at ${source} has changed since the last import.`;
  const left = sum((kind) => countAll(kind.left));
  const lost = sum((kind) => countAll(kind.lost));
  const isUnknown = kinds.some((kind) => kind.left.some(({ count }) => count === 0));
  if (left + lost === 0 && !isUnknown) return came;
  return `${came} Not everything could be kept: ${isUnknown ? 'more than ' : ''}${left} left out, ${lost} incomplete (see the lines above).`;
}

function describe(kind: Kind, { reason, count, which }: LeftOut, shown: number) {
  const { noun } = NAMES[kind];
  const examples = which.slice(0, shown);
  return {
    // How many there are that an account isn't shown nobody tells.
    who: count === 0 ? countNoun(2, noun).replace(/^2/, 'an unknown number of') : countNoun(count, noun),
    what: reason,
    examples,
    more: which.length === 0 ? 0 : count - examples.length,
    advice: ALL_IS_WELL.test(reason) ? undefined : (ADVICE.find(([words]) => words.test(reason))?.[1] ?? CORRECT),
  };
}
