import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';

export interface NewMessage {
  /** `msg_…`: stays the same over all attempts. */
  id: string;
  /** Name of the hook in the options. */
  hook: string;
  runId: string;
  /** The exact text that is signed and sent. */
  body: string;
  at: Date;
  /** Messages for the same hook that this one stands in for. */
  supersedes: string[];
}

export interface PendingMessage {
  id: string;
  hook: string;
  runId: string;
  body: string;
  /** So far. */
  attempts: number;
  nextAttemptAt: string;
}

/** Messages that still have to be delivered, oldest first. @param hook Only those of one hook. */
export function pendingMessages(database: DatabaseSync, hook?: string): PendingMessage[] {
  return database
    .prepare(`SELECT * FROM outbox WHERE state = 'pending' AND (?1 IS NULL OR hook = ?1) ORDER BY created_at, id`)
    .all(hook ?? null)
    .map(toMessage);
}

/** Puts a message in, due at once. */
export function addMessage(database: DatabaseSync, message: NewMessage): void {
  const at = message.at.toISOString();
  const supersede = database.prepare(
    `UPDATE outbox SET state = 'superseded', settled_at = ? WHERE id = ? AND state = 'pending'`,
  );
  for (const id of message.supersedes) supersede.run(at, id);
  database
    .prepare(
      `INSERT INTO outbox (id, hook, run_id, body, state, next_attempt_at, created_at)
       VALUES (?, ?, ?, ?, 'pending', ?, ?)`,
    )
    .run(message.id, message.hook, message.runId, message.body, at, at);
}

/** Writes down that a message was delivered, or that its target is dead. */
export function settleMessage(database: DatabaseSync, id: string, state: 'delivered' | 'dead', at: Date): void {
  database
    .prepare('UPDATE outbox SET state = ?, attempts = attempts + 1, settled_at = ? WHERE id = ?')
    .run(state, at.toISOString(), id);
}

/** Writes down a failed attempt. @param problem A status or an error code: never an address. */
export function postponeMessage(database: DatabaseSync, id: string, nextAttemptAt: Date, problem: string): void {
  database
    .prepare('UPDATE outbox SET attempts = attempts + 1, next_attempt_at = ?, last_problem = ? WHERE id = ?')
    .run(nextAttemptAt.toISOString(), problem, id);
}

function toMessage(row: Record<string, SQLOutputValue>): PendingMessage {
  return {
    id: String(row['id']),
    hook: String(row['hook']),
    runId: String(row['run_id']),
    body: String(row['body']),
    attempts: Number(row['attempts']),
    nextAttemptAt: String(row['next_attempt_at']),
  };
}
