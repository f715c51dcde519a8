import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { CatalogueChanged } from './compose-message.ts';
import { createTestOutbox, type TestOutbox } from './testing/test-outbox.ts';
import { startTestReceiver, type TestReceiver } from './testing/test-receiver.ts';

const KILLS = 5 * Number(process.env['SORTIMENT_SOAK'] ?? 1);
const SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const TEN_MINUTES = 600_000;

let receiver: TestReceiver;
let outbox: TestOutbox;
beforeEach(async () => {
  receiver = await startTestReceiver();
  const environment = { SORTIMENT_HOOK_URL: `${receiver.origin}/hook`, SORTIMENT_HOOK_SECRET: SECRET };
  outbox = await createTestOutbox([{ name: 'site' }], { environment });
});
afterEach(async () => {
  await receiver.close();
  await outbox.remove();
});

const load = (file: string) => `await import(${JSON.stringify(import.meta.resolve(file))})`;
const afterwards = () => new Date(Date.now() + (KILLS + 1) * TEN_MINUTES);
const eventOf = (body: string) => (JSON.parse(body) as CatalogueChanged).data;

/** Commits changes and delivers them, one after the other, until it is killed. */
function childScript(round: number): string {
  const { root, options } = outbox.settings;
  return `
    const { resolveSettings } = ${load('../../config/index.ts')};
    const { openSnapshot } = ${load('../../snapshot/index.ts')};
    const { commitChange } = ${load('./testing/test-outbox.ts')};
    const { sendOutbox } = ${load('./send-outbox.ts')};
    const settings = resolveSettings(${JSON.stringify(root)}, ${JSON.stringify(options)}, {});
    const quiet = () => {};
    const logger = { debug: quiet, info: quiet, warn: quiet, error: quiet };
    const now = () => new Date(Date.now() + ${round * TEN_MINUTES});
    for (let i = 0; i < 50; i += 1) {
      commitChange(settings, [{ id: ${round * 100} + i + 1 + '' }], now());
      console.log('committed');
      await sendOutbox(settings, { logger, now, early: true, environment: ${JSON.stringify(outbox.environment)} });
    }
    setInterval(quiet, 1000);`;
}

/** Kills at another point each time: while it commits or sends, before it is answered, after that. */
async function killSomewhere(child: ChildProcess, round: number): Promise<void> {
  const ended = once(child, 'close');
  const kill = () => child.kill('SIGKILL');
  const seen = receiver.received.length;
  const nth = 1 + (round % 4);
  if (round % 3 === 0) {
    child.stdout?.once('data', () => setTimeout(kill, (round * 7) % 40));
  } else {
    const isDeadly = () => receiver.received.length === seen + nth;
    receiver.answer = () => {
      if (isDeadly() && round % 3 === 1) kill();
      else if (isDeadly()) setImmediate(kill);
      return { status: receiver.received.length % 3 === 0 ? 500 : 204 };
    };
  }
  await ended;
  expect(child.signalCode, `round ${round}`).toBe('SIGKILL');
}

it(
  'a sender that is killed at any point announces each change at least once, and under one id only',
  async () => {
    for (let round = 1; round <= KILLS; round += 1) {
      const child = spawn(process.execPath, ['--input-type=module', '-e', childScript(round)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await killSomewhere(child, round);
    }
    receiver.answer = () => ({ status: 204 });
    const committed = outbox.messages().flatMap(({ body }) => eventOf(body).gtins);
    const last = await outbox.send({ now: afterwards, early: true });
    expect(last.every(({ outcome }) => outcome === 'delivered')).toBe(true);
    expect(new Set(outbox.messages().map(({ state }) => state))).toEqual(new Set(['delivered']));

    const ids = new Map<string, Set<string>>();
    const bodies = new Map<string, Set<string>>();
    for (const { id, body } of receiver.received) {
      bodies.set(id, (bodies.get(id) ?? new Set()).add(body));
      for (const gtin of eventOf(body).gtins) ids.set(gtin, (ids.get(gtin) ?? new Set()).add(id));
    }
    const digest = Math.max(...outbox.messages().map(({ body }) => Number(eventOf(body).digest.slice(7))));
    expect(new Set(committed).size, 'as many as there were commits').toBe(digest);
    expect([...ids.keys()].toSorted()).toEqual([...new Set(committed)].toSorted());
    for (const [gtin, told] of ids) expect(told.size, `ids of change ${gtin}`).toBe(1);
    for (const [id, told] of bodies) expect(told.size, `bodies of ${id}`).toBe(1);
  },
  KILLS * 60_000,
);
