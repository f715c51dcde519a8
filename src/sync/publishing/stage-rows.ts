import { adviseOnRecord } from '#client/index.ts';
import { cleanTexts } from '#contracts/index.ts';
import type { FileReference, SyncedKind, SyncedRecord, TextTools } from '#contracts/synced/index.ts';
import { digestRecord } from '#snapshot/index.ts';
import type { SyncRun } from '../sync-run.ts';
import { findAssets } from './find-assets.ts';
import type { ReadRows, UnreadRow } from './read-rows.ts';
import { plainText, sanitiseHtml } from './sanitise-html.ts';

export const TEXTS: TextTools = {
  plain: plainText,
  html: (html, link, idPrefix) =>
    sanitiseHtml(html, { base: URL.canParse(link) ? link : undefined, ...(idPrefix && { idPrefix }) }).trim(),
};

/** What is stored of a row; undefined if it isn't public. */
export function projectRow(kind: SyncedKind, row: unknown): SyncedRecord | undefined {
  return cleanTexts(kind.project(row, TEXTS));
}

/** Stages a page of rows: public rows, and for unusable rows only that they exist. */
export function stageRows(
  run: SyncRun,
  declared: SyncedKind,
  { rows, problems, unread = [] }: ReadRows,
  rowsRead: { count: number },
): void {
  const { kind } = declared;
  let originals: ReadonlySet<string> | undefined;
  // Most pages need none of them, and there may be very many.
  const isOriginal = (address: string) => (originals ??= new Set(run.staging.addressesOf('media/'))).has(address);
  const isOwn = (address: string) => URL.canParse(address) && run.isMediaHost(new URL(address));
  for (const row of rows) {
    const record = projectRow(declared, row);
    if (!record) continue;
    const named = declared.references?.(record, (html) => findAssets(html, run.isMediaHost), isOwn) ?? [];
    const references = named.map((reference) => toOriginal(reference, isOriginal));
    const content = { record, digest: digestRecord(record), references };
    run.staging.stageRecord({ kind, id: String(record.id), position: Number(record.id) || 0, content });
  }
  for (const { id, problems: found, wire } of problems) {
    // What is stored of it stays; nothing is stored under an invalid ID.
    if (id && Number.isSafeInteger(Number(id))) run.staging.stageRecord({ kind, id, position: Number(id) });
    const hasLastGood = run.snapshot.hasRecord(kind, id);
    for (const { field, problem } of found) {
      run.issues.problem({ kind, id, field, problem, advice: CORRECT_ROW, wire: memberOf(wire, field), hasLastGood });
    }
  }
  for (const { id } of unread) run.staging.stageRecord({ kind, id, position: Number(id) || 0 });
  reportUnread(run, { kind }, unread);
  rowsRead.count += rows.length + problems.length;
  run.progress({ stage: 'publishing', done: rowsRead.count, total: undefined });
}

const CORRECT_ROW = 'Have it corrected at the publishing site: a plugin may have changed what its interface answers.';

/** Reports rows that exist but that the site answers with something else. */
export function reportUnread(
  { issues, snapshot }: SyncRun,
  { kind }: Pick<SyncedKind, 'kind'>,
  unread: readonly UnreadRow[],
): void {
  for (const { id, answer } of unread) {
    const problem = `could not be read: ${answer.detail}`;
    const shown = answer.sample || undefined;
    const hasLastGood = snapshot.hasRecord(kind, id);
    issues.unreachable({ kind, id, field: '', problem, advice: adviseOnRecord(answer), shown, hasLastGood });
  }
}

/** Publishing sites put resized copies (`photo-1024x768.jpg`) into texts; we resize the original instead. */
function toOriginal(reference: FileReference, isOriginal: (address: string) => boolean): FileReference {
  const address = reference.address.replace(/-\d+x\d+(\.[a-z]+)$/i, '$1');
  return address !== reference.address && isOriginal(address) ? { ...reference, address } : reference;
}

function memberOf(wire: unknown, field: string): unknown {
  const [name = ''] = field.split(/[.[]/, 1);
  return typeof wire === 'object' && wire !== null ? (wire as Record<string, unknown>)[name] : wire;
}
