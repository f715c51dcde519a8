import type { Settings } from '#config/index.ts';
import { contentFiles } from '#files/content-files.ts';
import { findStringsGaps, STRINGS_FOLDER } from '../strings/strings-files.ts';
import { openSnapshot, type BrokenDocument } from '#snapshot/index.ts';

/** Limits the length of the message: `--json` lists all. */
const MAX_NAMED = 20;

export function findBrokenDocuments({ snapshotPath }: Pick<Settings, 'snapshotPath'>): BrokenDocument[] {
  using snapshot = openSnapshot(snapshotPath, { readOnly: true });
  return snapshot.brokenDocuments();
}

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

/** A language of the site with texts that are shown in another one. */
export interface UntranslatedLanguage {
  code: string;
  /** File for its texts. */
  file: string;
  /** Number of missing texts; undefined if there is no file. */
  missing?: number | undefined;
}

/** @param codes Languages to build. */
export function findUntranslatedLanguages(root: string, codes: readonly string[]): UntranslatedLanguage[] {
  const known = new Set(contentFiles(root, STRINGS_FOLDER, '.json').map(({ id }) => id));
  const gaps = countMissingTexts(root);
  return codes.flatMap((code) => {
    const short = code.split('-')[0] ?? code;
    const file = `${STRINGS_FOLDER}/${short}.json`;
    if (!known.has(code) && !known.has(short)) return [{ code, file }];
    const missing = gaps.get(short) ?? 0;
    return missing > 0 ? [{ code, file, missing }] : [];
  });
}

function countMissingTexts(root: string): Map<string, number> {
  try {
    return new Map(findStringsGaps(root).map(({ language, missing }) => [language, missing.length]));
  } catch {
    // A build reports a malformed file, and fails.
    return new Map();
  }
}

const DAY_MS = 86_400_000;
const WARN_DAYS = 30;

/** Returns a warning about the expiry date of security.txt; undefined if it isn't due. */
export function checkSecurityContact({ options }: Pick<Settings, 'options'>, now: Date): string | undefined {
  const { security } = options;
  if (!security) return undefined;
  const days = Math.floor((Date.parse(security.expires) - now.getTime()) / DAY_MS);
  if (days >= WARN_DAYS) return undefined;
  const when = days < 0 ? `expired on ${security.expires}` : `expires on ${security.expires}, in ${days} days`;
  return `security.txt ${when}: check the contact and set a later \`security.expires\` in src/sortiment.config.ts.`;
}
