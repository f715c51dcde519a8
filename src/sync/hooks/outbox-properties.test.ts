import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { defineConfig } from '#config/index.ts';
import {
  addMessage,
  startAttempt,
  claimMessage,
  listMessages,
  listPendingMessages,
  postponeMessage,
  readQueue,
  releaseMessage,
  requeueMessages,
  recordResult,
  type OutboxMessage,
} from '#snapshot/index.ts';
import { createTables } from '#snapshot/schema.ts';
import { composeMessage, readEvent } from './compose-message.ts';
import { createChange } from './testing/test-outbox.ts';

const RUNS = 75 * Number(process.env['SORTIMENT_SOAK'] ?? 1);
const LEASE_MS = 45_000;

const [HOOK] = defineConfig({
  site: { name: 'Test' },
  maker: { name: 'Test', address: ['Test'], email: 'test@test.example' },
  mainLanguage: 'de-de',
  hooks: [{ name: 'site', debounce: { quietSeconds: 10, maxWaitSeconds: 30 } }],
}).hooks;

/** Possible events, in any order. There are two senders, and each may die at any point. */
const step = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ do: 'change' } as const) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('claim' as const), sender: fc.nat(1), early: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('send' as const), sender: fc.nat(1) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('settle' as const),
      sender: fc.nat(1),
      as: fc.constantFrom('delivered', 'failed', 'dead', 'gone', 'death'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('pass' as const), seconds: fc.constantFrom(1, 15, 60, 600) }) },
  { weight: 1, arbitrary: fc.constant({ do: 'revive' } as const) },
);

interface Sender {
  claimed: OutboxMessage;
  lease: string;
  sent: boolean;
  until: number;
}

class World {
  readonly database = new DatabaseSync(':memory:');
  readonly announced = new Map<string, Set<string>>();
  readonly bodies = new Map<string, string>();
  readonly senders: (Sender | undefined)[] = [];
  changes = 0;
  leases = 0;
  now = Date.parse('2026-11-21T10:00:00Z');

  constructor() {
    createTables(this.database);
  }

  change(): void {
    if (!HOOK) throw new Error('no hook');
    const previousDigest = this.changes === 0 ? undefined : `digest-${this.changes}`;
    this.changes += 1;
    const report = {
      runId: `run_${this.changes}`,
      digest: `digest-${this.changes}`,
      previousDigest,
      changes: [createChange({ id: String(this.changes) })],
    };
    const at = new Date(this.now);
    const message = composeMessage(HOOK, report, readQueue(this.database, 'site'), at);
    if (message) addMessage(this.database, message);
  }

  claim(sender: number, early: boolean): void {
    if (this.senders[sender]) return;
    this.leases += 1;
    const lease = `lease-${this.leases}`;
    const until = this.now + LEASE_MS;
    const options = { now: new Date(this.now), lease, until: new Date(until), early };
    const others = this.senders.filter((other) => other && other.until > this.now && this.holds(other));
    const claim = claimMessage(this.database, 'site', options);
    if (claim.outcome !== 'claimed') return;
    expect(others, 'only one sender has a message of a hook').toEqual([]);
    this.senders[sender] = { claimed: claim.message, lease, sent: false, until };
  }

  /** An earlier sender may have recorded the delivery, which voids the lease. */
  holds({ claimed: { id }, lease }: Sender): boolean {
    const held = this.database.prepare(`SELECT 1 FROM outbox WHERE id = ? AND lease = ? AND state = 'pending'`);
    return held.get(id, lease) !== undefined;
  }

  send(sender: number): void {
    const held = this.senders[sender];
    if (!held || held.sent) return;
    const message = startAttempt(this.database, held.claimed.id, held.lease);
    if (!message) {
      this.senders[sender] = undefined;
      return;
    }
    held.sent = true;
    const { id, body } = message;
    expect(this.bodies.get(id) ?? body, 'what is sent under an id stays as it is').toBe(body);
    this.bodies.set(id, body);
    for (const change of readEvent(message).data.gtins) {
      const ids = this.announced.get(change) ?? new Set();
      this.announced.set(change, ids.add(id));
    }
  }

  settle(sender: number, as: string): void {
    const held = this.senders[sender];
    if (!held) return;
    this.senders[sender] = undefined;
    if (as === 'death') return;
    const { id } = held.claimed;
    const at = new Date(this.now);
    if (!held.sent) releaseMessage(this.database, id, held.lease);
    else if (as === 'delivered') recordResult(this.database, id, 'delivered', at);
    else if (as === 'failed') postponeMessage(this.database, id, held.lease, new Date(this.now + 300_000), '500');
    else recordResult(this.database, id, 'dead', at, { problem: as, targetGone: as === 'gone' });
  }

  /** All faults end: the remaining messages are delivered. */
  drain(): void {
    this.senders.length = 0;
    this.now += 1e9;
    requeueMessages(this.database, undefined, new Date(this.now));
    while (listPendingMessages(this.database).length > 0) {
      this.claim(0, false);
      this.send(0);
      this.settle(0, 'delivered');
    }
  }
}

it(
  'every change is reported under exactly one id, whatever happens',
  () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 60 }), (steps) => {
        const world = new World();
        for (const now of steps) {
          if (now.do === 'change') world.change();
          else if (now.do === 'claim') world.claim(now.sender, now.early);
          else if (now.do === 'send') world.send(now.sender);
          else if (now.do === 'settle') world.settle(now.sender, now.as);
          else if (now.do === 'pass') world.now += now.seconds * 1000;
          else requeueMessages(world.database, undefined, new Date(world.now));
          const pending = listPendingMessages(world.database);
          expect(pending.filter(({ attempts }) => attempts === 0).length).toBeLessThanOrEqual(1);
          // A dead letter that was revived is in flight again.
          const revivable = steps.some((other) => other.do === 'revive');
          if (!revivable) expect(pending.filter(({ attempts }) => attempts > 0).length).toBeLessThanOrEqual(1);
        }
        world.drain();
        for (let change = 1; change <= world.changes; change += 1) {
          expect(world.announced.get(String(change))?.size, `ids of change ${change}`).toBe(1);
        }
        expect(listMessages(world.database).every(({ state }) => state === 'delivered')).toBe(true);
        world.database.close();
      }),
      { numRuns: RUNS },
    );
  },
  RUNS * 1000,
);
