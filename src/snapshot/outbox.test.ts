import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  addMessage,
  startAttempt,
  claimMessage,
  isDisabled,
  listMessages,
  listPendingMessages,
  postponeMessage,
  readQueue,
  releaseMessage,
  requeueMessages,
  recordAlreadyLive,
  recordResult,
} from './outbox.ts';
import { createTables } from './schema.ts';

const START = Date.parse('2026-11-21T10:00:00Z');
const at = (seconds: number) => new Date(START + seconds * 1000);

let database: DatabaseSync;
beforeEach(() => {
  database = new DatabaseSync(':memory:');
  createTables(database);
});

const put = (id: string, seconds: number, body = id, dueAt = at(seconds)) =>
  addMessage(database, { id, hook: 'site', runId: 'run_1', body, at: at(seconds), dueAt });
const claim = (lease: string, seconds: number, early = false) =>
  claimMessage(database, 'site', { now: at(seconds), lease, until: at(seconds + 45), early });
const send = (id: string, lease: string, seconds: number) => {
  claim(lease, seconds);
  return startAttempt(database, id, lease);
};

describe('a message', () => {
  it('is rewritten while it waits, and never once it was sent', () => {
    put('a', 0, 'one');
    put('a', 5, 'two', at(60));
    expect(listPendingMessages(database)).toMatchObject([
      { id: 'a', body: 'two', createdAt: at(0).toISOString(), nextAttemptAt: at(60).toISOString() },
    ]);
    expect(send('a', 'x', 60)).toMatchObject({ body: 'two', attempts: 1 });
    expect(() => put('a', 70, 'three')).toThrow(/can't be rewritten/);
    expect(listPendingMessages(database)).toMatchObject([{ body: 'two' }]);
  });

  it('is held by one sender, until the lease is over', () => {
    put('a', 0);
    expect(claim('x', 0).outcome).toBe('claimed');
    expect(claim('y', 44).outcome).toBe('busy');
    expect(claim('y', 46).outcome).toBe('claimed');
    expect(startAttempt(database, 'a', 'x')).toBeUndefined();
    expect(startAttempt(database, 'a', 'y')).toMatchObject({ attempts: 1 });
  });

  it('that was rewritten between claim and sending is sent as it is by then', () => {
    put('a', 0, 'one');
    const claimed = claim('x', 0);
    put('a', 1, 'two');
    if (claimed.outcome !== 'claimed') throw new Error('was not claimed');
    expect(recordAlreadyLive(database, claimed.message, 'x', at(2))).toBe(false);
    expect(startAttempt(database, 'a', 'x')?.body).toBe('two');
  });

  it('that was found live is over without an attempt', () => {
    put('a', 0);
    const claimed = claim('x', 0);
    expect(claimed.outcome === 'claimed' && recordAlreadyLive(database, claimed.message, 'x', at(1))).toBe(true);
    expect(listMessages(database)).toMatchObject([{ state: 'live', attempts: 0 }]);
    expect(claim('x', 2).outcome).toBe('empty');
  });

  it('goes when it is due, or early if asked to', () => {
    put('a', 0, 'a', at(60));
    expect(claim('x', 59).outcome).toBe('not-due');
    expect(claim('x', 59, true).outcome).toBe('claimed');
    releaseMessage(database, 'a', 'x');
    expect(claim('y', 60).outcome).toBe('claimed');
  });

  it('that is in flight goes before the one that waits', () => {
    put('a', 0);
    send('a', 'x', 0);
    put('b', 1);
    expect(readQueue(database, 'site')).toMatchObject({ waiting: { id: 'b' }, lastSent: { id: 'a' } });
    postponeMessage(database, 'a', 'x', at(300), '503');
    expect(claim('y', 10)).toMatchObject({ outcome: 'not-due', message: { id: 'a', lastProblem: '503' } });
    send('a', 'y', 300);
    recordResult(database, 'a', 'delivered', at(301));
    expect(claim('z', 301)).toMatchObject({ outcome: 'claimed', message: { id: 'b' } });
  });

  it('counts as delivered even when its sender was too late for its lease', () => {
    put('a', 0);
    send('a', 'x', 0);
    send('a', 'y', 60);
    recordResult(database, 'a', 'delivered', at(61));
    postponeMessage(database, 'a', 'y', at(90), '500');
    expect(listMessages(database)).toMatchObject([{ state: 'delivered', failures: 0 }]);
  });
});

describe('a dead letter', () => {
  it('of a target that is gone stops its hook until it is revived', () => {
    put('a', 0);
    send('a', 'x', 0);
    recordResult(database, 'a', 'dead', at(1), { problem: '410', targetGone: true });
    put('b', 2);
    expect([isDisabled(database, 'site'), claim('y', 3).outcome]).toEqual([true, 'disabled']);
    expect(requeueMessages(database, undefined, at(4))).toBe(1);
    expect(isDisabled(database, 'site')).toBe(false);
    expect(claim('y', 5)).toMatchObject({ outcome: 'claimed', message: { id: 'a', failures: 0, attempts: 1 } });
  });

  it('and what was not told is kept by whoever clears up', () => {
    for (const id of ['a', 'b', 'c']) put(id, 0);
    send('a', 'x', 0);
    recordResult(database, 'a', 'dead', at(1), { problem: '500' });
    send('b', 'x', 1);
    recordResult(database, 'b', 'delivered', at(2));
    database.exec('DELETE FROM outbox');
    expect(listMessages(database).map(({ id }) => id)).toEqual(['c', 'a']);
  });
});
