import type { DatabaseSync } from 'node:sqlite';
import { fromRow, inTransaction, type Row } from './rows.ts';

export interface NewMessage {
  /** `msg_…`, the same for all attempts. With the ID of the waiting message, replaces that message. */
  id: string;
  /** Name of the hook in the options. */
  hook: string;
  runId: string;
  /** The exact text that is signed and sent. */
  body: string;
  at: Date;
  /**
   * Earliest time of sending.
   * @default at
   */
  dueAt?: Date;
}

/** `live`: the site already shows the change, so nothing was sent. `superseded`: version 1 only. */
export type MessageState = 'pending' | 'delivered' | 'live' | 'dead' | 'superseded';

export interface OutboxMessage {
  id: string;
  hook: string;
  runId: string;
  body: string;
  state: MessageState;
  /** Includes the current attempt. 0: waiting, may be rewritten. Otherwise in flight, immutable. */
  attempts: number;
  /** Consecutive failures since it was added or requeued. */
  failures: number;
  /** ISO, like the other timestamps. */
  nextAttemptAt: string;
  createdAt: string;
  settledAt: string | undefined;
  /** A status or an error code, never an address. */
  lastProblem: string | undefined;
  /** Dead-lettered because its target responded with 410 Gone, which disables the hook. */
  targetGone: boolean;
}

export type HookQueue = ReturnType<typeof readQueue>;

const IN_ORDER = 'attempts = 0, created_at, rowid';

/**
 * Lists undelivered messages in the order of sending.
 * @param hook Restricts the list to one hook.
 */
export function listPendingMessages(database: DatabaseSync, hook?: string): OutboxMessage[] {
  return database
    .prepare(`SELECT * FROM outbox WHERE state = 'pending' AND (?1 IS NULL OR hook = ?1) ORDER BY ${IN_ORDER}`)
    .all(hook ?? null)
    .map(toMessage);
}

export function listMessages(database: DatabaseSync): OutboxMessage[] {
  return database.prepare('SELECT * FROM outbox ORDER BY created_at DESC, rowid DESC').all().map(toMessage);
}

/** Reads the queue of a hook as needed to add a message. */
export function readQueue(database: DatabaseSync, hook: string) {
  const latest = (condition: string): OutboxMessage | undefined => {
    const row = database
      .prepare(`SELECT * FROM outbox WHERE hook = ? AND ${condition} ORDER BY created_at DESC, rowid DESC LIMIT 1`)
      .get(hook);
    return row && toMessage(row);
  };
  return {
    /** A message that was never sent and may absorb further changes. */
    waiting: latest(`state = 'pending' AND attempts = 0`),
    /** The last message that the receiver got, or will get first. */
    lastSent: latest(`(state IN ('delivered', 'live') OR (state = 'pending' AND attempts > 0))`),
  };
}

/**
 * Adds a message, or rewrites the waiting one with the same ID. Call it in the transaction that read the queue, so that
 * no sender interferes.
 */
export function addMessage(database: DatabaseSync, { id, hook, runId, body, at, dueAt = at }: NewMessage): void {
  const { changes } = database
    .prepare(
      `INSERT INTO outbox (id, hook, run_id, body, state, next_attempt_at, created_at)
       VALUES (?, ?, ?, ?, 'pending', ?, ?)
       ON CONFLICT (id) DO UPDATE
       SET run_id = excluded.run_id, body = excluded.body, next_attempt_at = excluded.next_attempt_at
       WHERE state = 'pending' AND attempts = 0 AND hook = excluded.hook`,
    )
    .run(id, hook, runId, body, dueAt.toISOString(), at.toISOString());
  if (Number(changes) !== 1) throw new Error(`The message ${id} has already been sent and can't be rewritten.`);
}

export type Claim =
  | { outcome: 'claimed'; message: OutboxMessage }
  /** Nothing to send. */
  | { outcome: 'empty' }
  | { outcome: 'not-due'; message: OutboxMessage }
  /** Another sender has claimed a message of this hook. */
  | { outcome: 'busy' }
  /** The target of this hook is gone, and a message is waiting. */
  | { outcome: 'disabled' };

/**
 * Claims the next message of a hook for one sender. It may still be rewritten: send the message that is returned when
 * the attempt is recorded.
 * @param options `lease` is unique to this sender; `early` also claims messages that are not due yet.
 */
export function claimMessage(
  database: DatabaseSync,
  hook: string,
  { now, lease, until, early = false }: { now: Date; lease: string; until: Date; early?: boolean },
): Claim {
  return inTransaction(database, () => {
    const [message] = listPendingMessages(database, hook);
    if (!message) return { outcome: 'empty' };
    if (isDisabled(database, hook)) return { outcome: 'disabled' };
    const claimed = database.prepare(`SELECT 1 FROM outbox WHERE hook = ? AND state = 'pending' AND leased_until > ?`);
    if (claimed.get(hook, now.toISOString())) return { outcome: 'busy' };
    if (!early && message.nextAttemptAt > now.toISOString()) return { outcome: 'not-due', message };
    database
      .prepare('UPDATE outbox SET lease = ?, leased_until = ? WHERE id = ?')
      .run(lease, until.toISOString(), message.id);
    return { outcome: 'claimed', message };
  });
}

/**
 * Records an attempt before anything is sent. From then on, ID and body of the message are immutable.
 * @returns The message to send; undefined if another sender holds the lease.
 */
export function startAttempt(database: DatabaseSync, id: string, lease: string): OutboxMessage | undefined {
  const row = database
    .prepare(`UPDATE outbox SET attempts = attempts + 1 WHERE id = ? AND lease = ? AND state = 'pending' RETURNING *`)
    .get(id, lease);
  return row && toMessage(row);
}

export function releaseMessage(database: DatabaseSync, id: string, lease: string): void {
  database.prepare('UPDATE outbox SET lease = NULL, leased_until = NULL WHERE id = ? AND lease = ?').run(id, lease);
}

/**
 * Records that the site already shows the change of a message.
 * @returns False if the message was rewritten after it was claimed.
 */
export function recordAlreadyLive(
  database: DatabaseSync,
  { id, body }: OutboxMessage,
  lease: string,
  at: Date,
): boolean {
  const { changes } = database
    .prepare(
      `UPDATE outbox SET state = 'live', settled_at = ?, lease = NULL, leased_until = NULL
       WHERE id = ? AND body = ? AND lease = ? AND state = 'pending'`,
    )
    .run(at.toISOString(), id, body, lease);
  return Number(changes) === 1;
}

/**
 * Records that a message was delivered or dead-lettered. A delivery counts even if another sender has claimed the
 * message.
 */
export function recordResult(
  database: DatabaseSync,
  id: string,
  state: 'delivered' | 'dead',
  at: Date,
  { problem, targetGone = false }: { problem?: string; targetGone?: boolean } = {},
): void {
  database
    .prepare(
      `UPDATE outbox SET state = ?, settled_at = ?, last_problem = ?, target_gone = ?, lease = NULL, leased_until = NULL
       WHERE id = ? AND state = 'pending'`,
    )
    .run(state, at.toISOString(), problem ?? null, targetGone ? 1 : 0, id);
}

/**
 * Records a failed attempt and releases the message.
 * @param problem A status or an error code, never an address.
 */
export function postponeMessage(
  database: DatabaseSync,
  id: string,
  lease: string,
  nextAttemptAt: Date,
  problem: string,
): void {
  database
    .prepare(
      `UPDATE outbox SET failures = failures + 1, next_attempt_at = ?, last_problem = ?, lease = NULL,
         leased_until = NULL WHERE id = ? AND lease = ? AND state = 'pending'`,
    )
    .run(nextAttemptAt.toISOString(), problem, id, lease);
}

/**
 * Requeues dead-lettered messages, restarts their retry schedule and enables their hooks.
 * @param id One message; undefined requeues all.
 * @returns The number of requeued messages.
 */
export function requeueMessages(database: DatabaseSync, id: string | undefined, at: Date): number {
  const { changes } = database
    .prepare(
      `UPDATE outbox SET state = 'pending', failures = 0, next_attempt_at = ?, settled_at = NULL, target_gone = 0
       WHERE state = 'dead' AND (?2 IS NULL OR id = ?2)`,
    )
    .run(at.toISOString(), id ?? null);
  return Number(changes);
}

/** True if the target of a hook responded with 410 Gone and its message was not requeued. */
export function isDisabled(database: DatabaseSync, hook: string): boolean {
  const gone = database.prepare(`SELECT 1 FROM outbox WHERE hook = ? AND state = 'dead' AND target_gone = 1`);
  return gone.get(hook) !== undefined;
}

export function lastDeliveredAt(database: DatabaseSync, hook: string): string | undefined {
  const last = database.prepare(`SELECT max(settled_at) AS at FROM outbox WHERE hook = ? AND state = 'delivered'`);
  return fromRow<{ at?: string }>(last.get(hook) ?? {}).at;
}

const toMessage = (row: Row): OutboxMessage => fromRow(row);
