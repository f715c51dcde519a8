import type { DatabaseSync } from 'node:sqlite';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { reviveProduct, type ProductRecord } from '#contracts/product/index.ts';
import { APPLY_STAGING } from './apply-staging.ts';
import { digestProduct, NORMALISER_VERSION } from './digest-record.ts';
import { addMessage, type NewMessage } from './outbox.ts';
import type { StoredRun, StoredSource } from './rows.ts';
import { ASSET_CONTENT } from './staged-changes.ts';

const subject = z.looseObject({ kind: z.string(), id: z.string() });

const issues = z
  .array(z.looseObject({ kind: z.string(), sample: z.looseObject({ id: z.string(), wire: z.string().optional() }) }))
  .optional();

const report = z.looseObject({
  changes: z.array(subject).optional(),
  problems: issues,
  warnings: issues,
});

const LINES = [
  `SELECT 'product ' || gtin || ' ' || language || ' ' || state || ' ' || digest AS line
     FROM products ORDER BY gtin, language`,
  `SELECT kind || ' ' || id || ' ' || digest AS line FROM records WHERE state = 'present' ORDER BY kind, id`,
  `SELECT 'asset ' || url || ' ' || ${ASSET_CONTENT} AS line
     FROM assets WHERE ${ASSET_CONTENT} IS NOT NULL ORDER BY url, kind`,
];

export interface CommitResult {
  digest: string;
  previousDigest: string | undefined;
  changed: boolean;
}

/** A source that was read completely. */
export type ReadSource = Pick<StoredSource, 'name' | 'base' | 'cursor'>;

export interface Commit {
  /** Timestamp for `changedAt` and `checkedAt` of this run. */
  at: Date;
  sources: ReadSource[];
  /** Sources that could not be read; their stored content stays. */
  failedSources?: { name: StoredSource['name']; problem: string }[];
  /** Called inside the transaction with its result. Its run and messages are committed together with the records. */
  conclude(outcome: CommitResult): { run: StoredRun; messages: NewMessage[] };
}

const MAX_UNCHANGED_RUNS = 100;
/** Twice the number of runs in the change feed. */
const MAX_REPORTS = 100;
const MAX_MESSAGES = 100;

/**
 * Commits the staging area to the snapshot in one transaction, together with the run's row and its messages. After an
 * error or a crash the snapshot is unchanged.
 */
export function commitStaging(database: DatabaseSync, commit: Commit): CommitResult {
  // Commit rows that are still being staged in a batch.
  if (database.isTransaction) database.exec('COMMIT');
  database.exec('BEGIN IMMEDIATE');
  try {
    const at = commit.at.toISOString();
    if (hasOtherBasis(database, commit.sources)) database.exec(CLEAR_VALIDATORS);
    const outcome = apply(database, at);
    const { run, messages } = commit.conclude(outcome);
    redactWithdrawn(database, at);
    for (const source of commit.sources) saveSource(database, source, at);
    for (const source of commit.failedSources ?? []) saveFailure(database, source, at);
    saveRun(database, run);
    for (const message of messages) addMessage(database, message);
    database.exec('COMMIT');
    return outcome;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** True if unread records were stored by another normaliser version or read from another product interface. */
function hasOtherBasis(database: DatabaseSync, sources: readonly ReadSource[]): boolean {
  const before = database.prepare(`SELECT base FROM sources WHERE name = 'product'`).get()?.['base'];
  const normaliser = database.prepare(`SELECT value FROM meta WHERE key = 'normaliser'`).get()?.['value'];
  const isMoved = sources.some(({ name, base }) => name === 'product' && base !== before);
  return isMoved || normaliser !== String(NORMALISER_VERSION);
}

/** Clears validators, so that the next run reads these records in full. */
const CLEAR_VALIDATORS = 'UPDATE product_checks SET etag = NULL, last_modified = NULL, listed_modified = NULL';

function apply(database: DatabaseSync, at: string): CommitResult {
  const previousDigest = database.prepare(`SELECT value FROM meta WHERE key = 'digest'`).get()?.['value'];
  database.function('digest_without_price', { deterministic: true }, digestWithoutPrice);
  for (const sql of APPLY_STAGING) {
    const statement = database.prepare(sql);
    if (sql.includes(':at')) statement.run({ at });
    else statement.run();
  }
  const digest = digestCatalogue(database);
  const changed = digest !== previousDigest;
  if (changed) {
    const save = database.prepare('INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value');
    save.run('digest', digest);
    save.run('taken_at', at);
    save.run('normaliser', String(NORMALISER_VERSION));
  }
  return { digest, previousDigest: typeof previousDigest === 'string' ? previousDigest : undefined, changed };
}

/** @param json A stored record. */
function digestWithoutPrice(json: unknown): string {
  const record = JSON.parse(String(json)) as ProductRecord;
  return digestProduct({ ...reviveProduct(record), price: undefined, abas_id: '' });
}

function saveSource(database: DatabaseSync, source: ReadSource, at: string): void {
  database
    .prepare(
      `INSERT INTO sources (name, base, cursor, last_success) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE
       SET base = excluded.base, cursor = excluded.cursor, last_success = excluded.last_success, failed_since = NULL,
         problem = NULL`,
    )
    .run(source.name, source.base, source.cursor ?? null, at);
}

function saveFailure(database: DatabaseSync, { name, problem }: { name: string; problem: string }, at: string): void {
  database
    .prepare('UPDATE sources SET failed_since = coalesce(failed_since, ?), problem = ? WHERE name = ?')
    .run(at, problem, name);
}

function saveRun(database: DatabaseSync, run: StoredRun): void {
  database
    .prepare('INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
    .run(
      run.id,
      run.startedAt,
      run.finishedAt,
      run.changed ? 1 : 0,
      run.digest,
      run.previousDigest ?? null,
      run.requests,
      run.report ?? null,
    );
  // Runs without changes are frequent and carry little information. Delivered messages are no longer needed.
  database.exec(`
    DELETE FROM runs WHERE changed = 0 AND id NOT IN (
      SELECT id FROM runs WHERE changed = 0 ORDER BY rowid DESC LIMIT ${MAX_UNCHANGED_RUNS});
    UPDATE runs SET report = NULL WHERE report IS NOT NULL AND id NOT IN (
      SELECT id FROM runs WHERE changed = 1 ORDER BY rowid DESC LIMIT ${MAX_REPORTS});
    DELETE FROM outbox WHERE state <> 'pending' AND id NOT IN (
      SELECT id FROM outbox WHERE state <> 'pending' ORDER BY created_at DESC, id DESC LIMIT ${MAX_MESSAGES})`);
}

/** Returns the catalogue digest: SHA-256 over the sorted list of all digests. */
function digestCatalogue(database: DatabaseSync): string {
  const hash = createHash('sha256').update(`sortiment catalogue ${NORMALISER_VERSION}\n`);
  for (const lines of LINES) {
    for (const { line } of database.prepare(lines).iterate()) hash.update(`${String(line)}\n`);
  }
  return hash.digest('hex');
}

/**
 * Removes content that a publishing site withdrew in this run from earlier reports, which quote it. The reports still
 * list the change.
 * @param at The timestamp of the run.
 */
export function redactWithdrawn(database: DatabaseSync, at: string): void {
  const rows = database.prepare(`SELECT kind, id FROM main.records WHERE state = 'gone' AND changed_at = ?`).all(at);
  if (rows.length === 0) return;
  const gone = new Set(rows.map(({ kind, id }) => `${String(kind)} ${String(id)}`));
  const isGone = ({ kind, id }: z.output<typeof subject>) => gone.has(`${kind} ${id}`);
  const save = database.prepare('UPDATE main.runs SET report = ? WHERE id = ?');
  for (const run of database.prepare('SELECT id, report FROM main.runs WHERE report IS NOT NULL').all()) {
    const parsed = report.safeParse(JSON.parse(String(run['report']))).data;
    if (!parsed) continue;
    const changes = parsed.changes?.map((change) => (isGone(change) ? { ...change, name: '', fields: [] } : change));
    const withoutGone = (groups: z.output<typeof issues>) =>
      groups?.map((group) =>
        isGone({ kind: group.kind, id: group.sample.id })
          ? { ...group, sample: { ...group.sample, wire: undefined } }
          : group,
      );
    const { problems, warnings } = parsed;
    const redacted = { ...parsed, changes, problems: withoutGone(problems), warnings: withoutGone(warnings) };
    save.run(JSON.stringify(redacted), String(run['id']));
  }
}
