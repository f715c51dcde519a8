import type { Settings } from '#config/index.ts';
import { openSnapshot, type BrokenDocument } from '#snapshot/index.ts';

/** Limits the length of the message: `--json` lists all. */
const MAX_NAMED = 20;

/** Finds documents of products that were unavailable at the last sync. */
export function findBrokenDocuments({ snapshotPath }: Pick<Settings, 'snapshotPath'>): BrokenDocument[] {
  const snapshot = openSnapshot(snapshotPath, { readOnly: true });
  try {
    return snapshot.brokenDocuments();
  } finally {
    snapshot.close();
  }
}

/** Formats broken documents as a message with advice. */
export function formatBrokenDocuments(broken: readonly BrokenDocument[]): string {
  const lines = broken
    .slice(0, MAX_NAMED)
    .map(
      ({ url, problem, gtins }) => `  ${url} ${problem} (named by ${gtins.slice(0, 3).join(', ')}${more(gtins, 3)})`,
    );
  return [
    `${broken.length} documents were unavailable at the last sync; their pages say so, or offer the last good copy:`,
    ...lines,
    ...(broken.length > MAX_NAMED ? [`  and ${broken.length - MAX_NAMED} more, which --json lists`] : []),
    'Correct their addresses at the source or restore the files; the next sync tries again.',
  ].join('\n');
}

function more(list: readonly unknown[], shown: number): string {
  return list.length > shown ? ` and ${list.length - shown} more` : '';
}
