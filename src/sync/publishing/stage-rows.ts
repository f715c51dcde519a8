import { adviseOnRecord } from '#client/index.ts';
import { digestRecord, type AssetReference } from '#snapshot/index.ts';
import type { SyncRun } from '../sync-run.ts';
import type { PublishingKind } from './publishing-kinds.ts';
import type { ReadRows, UnreadRow } from './read-by-ids.ts';

/** Stages a page of rows: what is for everybody, and of rows that can't be used, that they are there. */
export function stageRows(
  run: SyncRun,
  { kind, project }: PublishingKind,
  { rows, problems, unread = [] }: ReadRows,
  rowsRead: { count: number },
): void {
  let originals: ReadonlySet<string> | undefined;
  // Most pages ask for none of them, and there may be very many.
  const isOriginal = (address: string) => (originals ??= new Set(run.staging.addressesOf('media/'))).has(address);
  for (const row of rows) {
    const projected = project(row, run.isMediaHost);
    if (!projected) continue;
    const { record } = projected;
    const references = projected.references.map((reference) => toOriginal(reference, isOriginal));
    const content = { record, digest: digestRecord(record), references };
    run.staging.stageRecord({ kind, id: String(record.id), position: record.id, content });
  }
  for (const { id, problems: found, wire } of problems) {
    // What is stored of it stays; nothing is stored under what can't be an id.
    if (id && Number.isSafeInteger(Number(id))) run.staging.stageRecord({ kind, id, position: Number(id) });
    const hasLastGood = run.snapshot.hasRecord(kind, id);
    for (const { field, problem } of found) {
      run.issues.problem({ kind, id, field, problem, advice: CORRECT_ROW, wire: memberOf(wire, field), hasLastGood });
    }
  }
  for (const { id } of unread) run.staging.stageRecord({ kind, id, position: Number(id) });
  reportUnread(run, { kind }, unread);
  rowsRead.count += rows.length + problems.length;
  run.progress({ stage: 'publishing', done: rowsRead.count, total: undefined });
}

const CORRECT_ROW = 'Have it corrected at the publishing site: a plugin may have changed what its interface answers.';

/** Reports rows that the site has and answers for with something else. */
export function reportUnread(
  { issues, snapshot }: SyncRun,
  { kind }: Pick<PublishingKind, 'kind'>,
  unread: readonly UnreadRow[],
): void {
  for (const { id, answer } of unread) {
    const problem = `could not be read: ${answer.detail}`;
    const shown = answer.sample || undefined;
    const hasLastGood = snapshot.hasRecord(kind, id);
    issues.unreachable({ kind, id, field: '', problem, advice: adviseOnRecord(answer), shown, hasLastGood });
  }
}

/** Publishing sites put sized copies (`photo-1024x768.jpg`) into texts; the original makes every size. */
function toOriginal(reference: AssetReference, isOriginal: (address: string) => boolean): AssetReference {
  const address = reference.address.replace(/-\d+x\d+(\.[a-z]+)$/i, '$1');
  return address !== reference.address && isOriginal(address) ? { ...reference, address } : reference;
}

function memberOf(wire: unknown, field: string): unknown {
  const [name = ''] = field.split(/[.[]/, 1);
  return typeof wire === 'object' && wire !== null ? (wire as Record<string, unknown>)[name] : wire;
}
