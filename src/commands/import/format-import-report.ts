import { countNoun, formatIssueLines } from '#contracts/index.ts';
import type { ImportResult, KindReport, ReportEntry } from './connect-site.ts';

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

const AGAIN = 'then run the same command again to import the rest.';
/** Advice by the wording of the reason. Other reasons get `CORRECT`. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /not shown to this account|without an unreadable revision/,
    `Import with an administrator's account (--user), ${AGAIN}`,
  ],
  [/--files-from/, `Add --files-from with that address, if you trust it, ${AGAIN}`],
  [/file was not copied|could not be fetched|has no file/, `Check that the file still exists, ${AGAIN}`],
  [
    /was changed here|already has content/,
    'Nothing to do if the local version is right. Otherwise copy the changes by hand.',
  ],
  [/was deleted at the source/, 'Delete it here too if it is no longer needed.'],
  [/shortcodes that|only the source site can run/, 'Open it here and replace the parts that do not work.'],
  [/was not imported/, `Resolve the reason listed above, ${AGAIN}`],
  [
    /unknown at the source|does not exist in this language/,
    'Nothing to do if that is correct. Otherwise correct the list of GTINs.',
  ],
];
const CORRECT = `Correct it at the source, ${AGAIN}`;
const NEEDS_NO_ACTION = /^were imported with the HTML/;

const SECTIONS = [
  { list: 'left', title: 'Left out' },
  { list: 'lost', title: 'Imported with differences' },
  { list: 'notes', title: 'Notes' },
] as const;

/** Formats an import report: a table, then everything that was skipped or changed, with reasons and advice. */
export function formatImportReport(
  { source, changed, kinds }: ImportResult,
  { shown = SHOWN, reportFile }: { shown?: number; reportFile?: string | undefined } = {},
): { message: string; rows: Record<string, unknown>[] } {
  const rows = kinds.map(({ kind, found, added, updated, unchanged, left }) => ({
    '': NAMES[kind].heading,
    found,
    new: added,
    changed: updated,
    unchanged,
    'left out': countAll(left),
  }));
  const sections = SECTIONS.flatMap(({ list, title }) => {
    const entries = kinds.flatMap((report) => report[list].map((entry) => describe(report.kind, entry, shown)));
    return entries.length > 0 ? [`${title}:`, formatIssueLines(entries), ''] : [];
  });
  const report = reportFile === undefined ? [] : [`Full report: ${reportFile}`];
  return { message: ['', ...sections, ...report, summarise(source, changed, kinds)].join('\n'), rows };
}

function countAll(entries: readonly ReportEntry[]): number {
  return entries.reduce((total, { count }) => total + count, 0);
}

/** Formats the last line: counts, and whether the import is complete. */
function summarise(source: string, changed: boolean, kinds: readonly KindReport[]): string {
  const sum = (count: (kind: KindReport) => number) => kinds.reduce((total, kind) => total + count(kind), 0);
  const added = sum((kind) => kind.added);
  const updated = sum((kind) => kind.updated);
  const outcome = changed
    ? `Imported ${source}: ${added} new, ${updated} changed.`
    : `Nothing at ${source} has changed since the last import.`;
  const left = sum((kind) => countAll(kind.left));
  const lost = sum((kind) => countAll(kind.lost));
  const isUnknown = kinds.some((kind) => kind.left.some(({ count }) => count === 0));
  if (left + lost === 0 && !isUnknown) return outcome;
  return `${outcome} Not everything was imported: ${isUnknown ? 'more than ' : ''}${left} left out, ${lost} incomplete (see the lines above).`;
}

function describe(kind: Kind, { reason, count, which }: ReportEntry, shown: number) {
  const { noun } = NAMES[kind];
  const examples = which.slice(0, shown);
  return {
    // The source doesn't say how many records are hidden from the account.
    who: count === 0 ? countNoun(2, noun).replace(/^2/, 'an unknown number of') : countNoun(count, noun),
    what: reason,
    examples,
    more: which.length === 0 ? 0 : count - examples.length,
    advice: NEEDS_NO_ACTION.test(reason) ? undefined : (ADVICE.find(([words]) => words.test(reason))?.[1] ?? CORRECT),
  };
}
