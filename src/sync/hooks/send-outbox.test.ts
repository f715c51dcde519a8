import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OptionsInput } from '#config/index.ts';
import type { CatalogueChanged } from './compose-message.ts';
import { listOutbox, retryMessages } from './list-outbox.ts';
import { createTestOutbox, type TestOutbox } from './testing/test-outbox.ts';
import { startTestReceiver, type ReceiverAnswer, type TestReceiver } from './testing/test-receiver.ts';

type HooksInput = NonNullable<OptionsInput['hooks']>;

const SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const SECOND = 1000;

let receiver: TestReceiver;
let site: TestReceiver;
let outbox: TestOutbox;
beforeEach(async () => {
  // The clock only: sockets go on in real time.
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T10:00:00Z') });
  [receiver, site] = await Promise.all([startTestReceiver(), startTestReceiver()]);
});
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all([receiver.close(), site.close(), outbox.remove()]);
});

async function open(...hooks: HooksInput): Promise<void> {
  const environment = { SORTIMENT_HOOK_URL: `${receiver.origin}/hook`, SORTIMENT_HOOK_SECRET: SECRET };
  outbox = await createTestOutbox(hooks.length > 0 ? hooks : [{ name: 'site' }], { environment, siteUrl: site.origin });
}

const answers = (...list: (ReceiverAnswer | undefined)[]) => {
  receiver.answer = () => (list.length > 1 ? list.shift() : list[0]);
};
const pass = (ms: number) => vi.setSystemTime(Date.now() + ms);
const dueIn = () => Math.min(...outbox.messages().map(({ nextAttemptAt }) => Date.parse(nextAttemptAt))) - Date.now();
const states = () => outbox.messages().map(({ state }) => state);
const events = () => receiver.received.map(({ body }) => (JSON.parse(body) as CatalogueChanged).data);
const outcomes = async () => (await outbox.send()).map(({ outcome }) => outcome);

const shows = (build: unknown, status = 200) => {
  site.answer = () => ({ status, body: typeof build === 'string' ? build : JSON.stringify(build) });
};

describe('a message', () => {
  it('is tried by the schedule under one id, each time signed anew, and then given up and kept', async () => {
    await open();
    receiver.answer = ({ body, headers }) => {
      new Webhook(SECRET).verify(body, headers);
      return { status: 500 };
    };
    outbox.change({});
    const waits: number[] = [];
    for (let attempt = 1; attempt < 10; attempt += 1) {
      expect(await outcomes()).toEqual(['failed']);
      waits.push(dueIn() / SECOND);
      pass(dueIn() - 1);
      expect(await outcomes()).toEqual(['pending']);
      pass(1);
    }
    expect(waits).toEqual([5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]);
    expect(await outcomes()).toEqual(['dead']);
    expect(outbox.log.at(-1)).toContain('npm run hooks -- retry msg_');
    expect(new Set(receiver.received.map(({ id, body }) => `${id} ${body}`)).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-signature'])).size).toBe(10);
    pass(1e9);
    expect(await outcomes()).toEqual([]);

    const id = receiver.received[0]?.id ?? '';
    answers({ status: 204 });
    expect(retryMessages(outbox.settings, id)).toBe(1);
    expect(await outcomes()).toEqual(['delivered']);
    expect(receiver.received.at(-1)?.id).toBe(id);
    expect(() => retryMessages(outbox.settings, id)).toThrow(expect.objectContaining({ code: 'MESSAGE_NOT_DEAD' }));
    expect(() => retryMessages(outbox.settings, 'msg_x')).toThrow(expect.objectContaining({ code: 'MESSAGE_UNKNOWN' }));
  });

  it('waits up to a tenth longer than the schedule says, so that many don’t come at once', async () => {
    await open();
    answers({ status: 500 });
    outbox.change({});
    await outbox.send({ random: () => 1 });
    expect(dueIn()).toBe(5500);
  });

  it.each([
    ['says nothing of when to come back', { status: 500 }, 5],
    ['has too much to do', { status: 503 }, 300],
    ['has a broken gateway', { status: 502 }, 300],
    ['says when to come back', { status: 429, headers: { 'retry-after': '120' } }, 120],
    ['says so with a date', { status: 503, headers: { 'retry-after': 'Sat, 21 Nov 2026 10:10:00 GMT' } }, 600],
    ['wants it sooner than the schedule', { status: 429, headers: { 'retry-after': '1' } }, 5],
    ['asks for more patience than a day', { status: 429, headers: { 'retry-after': '9999999' } }, 86_400],
    ['redirects', { status: 307, headers: { location: '/elsewhere' } }, 5],
  ])('to a receiver that %s waits as long as it should', async (_, answer: ReceiverAnswer, seconds) => {
    await open();
    answers(answer);
    outbox.change({});
    expect(await outcomes()).toEqual(['failed']);
    expect(dueIn()).toBe(seconds * SECOND);
    expect(receiver.received.map(({ url }) => url)).toEqual(['/hook']);
    expect(outbox.messages()).toMatchObject([{ lastProblem: String(answer.status), attempts: 1 }]);
  });

  it('to a receiver that never answers ends in time', async () => {
    await open();
    answers(undefined);
    outbox.change({});
    expect(await outbox.send({ timeoutMs: 200 })).toMatchObject([
      { outcome: 'failed', problem: 'timed out after 200 ms', nextAttemptAt: '2026-11-21T10:00:05.000Z' },
    ]);
  });

  it('to another host by a redirect is no delivery', async () => {
    await open();
    answers({ status: 308, headers: { location: site.origin } });
    outbox.change({});
    expect(await outcomes()).toEqual(['failed']);
    expect(site.received).toEqual([]);
  });

  it('is written down as attempted before it is sent', async () => {
    await open();
    let seen: unknown;
    receiver.answer = () => {
      seen = outbox.messages()[0];
      return { status: 204 };
    };
    outbox.change({});
    await outbox.send();
    expect(seen).toMatchObject({ state: 'pending', attempts: 1 });
  });

  it('is not sent by two at the same time', async () => {
    await open();
    outbox.change({});
    const [one, two] = await Promise.all([outcomes(), outcomes()]);
    expect([...one, ...two].toSorted()).toEqual(['delivered', 'pending']);
    expect(receiver.received).toHaveLength(1);
  });
});

describe('410', () => {
  it('disables the hook until somebody says retry', async () => {
    await open();
    answers({ status: 410 }, { status: 204 });
    outbox.change({ id: 'one' });
    expect(await outcomes()).toEqual(['dead']);
    outbox.change({ id: 'two' });
    pass(1e9);
    outbox.change({ id: 'three' });
    expect(await outcomes()).toEqual(['dead']);
    expect(receiver.received).toHaveLength(1);
    expect(outbox.log.at(-1)).toContain('npm run hooks -- retry --all');
    expect(listOutbox(outbox.settings, outbox.environment).hooks).toMatchObject([
      { name: 'site', problem: 'disabled: its target responded with 410 Gone' },
    ]);
    expect(retryMessages(outbox.settings, undefined)).toBe(1);
    expect(await outcomes()).toEqual(['delivered', 'delivered']);
    expect(events().map(({ gtins }) => gtins)).toEqual([['one'], ['one'], ['two', 'three']]);
  });
});

describe('changes while a message is in flight', () => {
  it('wait together, and go under an id of their own once it is settled', async () => {
    await open();
    outbox.change({ id: 'zero' });
    await outbox.send();
    answers({ status: 500 }, { status: 204 });
    outbox.change({ id: 'one' });
    await outbox.send();
    outbox.change({ id: 'two' });
    outbox.change({ id: 'three', change: 'removed', fields: [] }, { kind: 'post', id: '7', language: undefined });
    expect(await outcomes()).toEqual(['pending']);
    pass(5 * SECOND);
    expect(await outcomes()).toEqual(['delivered', 'delivered']);
    const [, failed, again, together] = receiver.received;
    expect(again).toMatchObject({ id: failed?.id, body: failed?.body });
    expect(together?.id).not.toBe(again?.id);
    expect(events()[2]).toMatchObject({ previousDigest: 'digest-1', digest: 'digest-2', gtins: ['one'] });
    expect(events()[3]).toMatchObject({
      previousDigest: 'digest-2',
      digest: 'digest-4',
      gtins: ['two', 'three'],
      classes: ['content', 'price', 'removed'],
      counts: { product: { 'de-de': { added: 0, changed: 1, removed: 1 } }, post: { '': { changed: 1 } } },
    });
  });
});

describe('debounce', () => {
  const hook = { name: 'site', debounce: { quietSeconds: 60, maxWaitSeconds: 150 } };

  it('tells once nothing has changed for a while', async () => {
    await open(hook);
    outbox.change({ id: 'one' });
    pass(50 * SECOND);
    outbox.change({ id: 'two' });
    pass(59 * SECOND);
    expect(await outcomes()).toEqual(['pending']);
    pass(SECOND);
    expect(await outcomes()).toEqual(['delivered']);
    expect(events().map(({ gtins }) => gtins)).toEqual([['one', 'two']]);
  });

  it('waits no longer than it may', async () => {
    await open(hook);
    for (const id of ['one', 'two', 'three', 'four']) {
      outbox.change({ id });
      pass(37.5 * SECOND);
      expect(await outcomes()).toEqual([id === 'four' ? 'delivered' : 'pending']);
    }
    expect(events().map(({ gtins }) => gtins)).toEqual([['one', 'two', 'three', 'four']]);
  });

  it('can be cut short', async () => {
    await open(hook);
    outbox.change({});
    expect(await outbox.send({ early: true })).toMatchObject([{ outcome: 'delivered' }]);
  });
});

describe('filters', () => {
  it('make a message of what passes them, and none if nothing does', async () => {
    await open(
      { name: 'all' },
      { name: 'prices', classes: ['price'] },
      { name: 'british', languages: ['en-gb'], kinds: ['product'] },
      { name: 'papers', classes: ['documents'] },
      { name: 'journal', kinds: ['post', 'page'] },
    );
    outbox.change(
      { id: 'one' },
      { id: 'two', language: 'en-gb', fields: [{ field: 'name', before: 'a', after: 'b' }] },
    );
    outbox.change({ kind: 'asset', id: 'https://files.example/dop.pdf', language: undefined });
    outbox.change({ kind: 'post', id: '7', language: undefined, fields: [] });
    const told = outbox.messages().map(({ hook, body }) => {
      const { previousDigest, digest, gtins, classes } = (JSON.parse(body) as CatalogueChanged).data;
      return [hook, previousDigest, digest, gtins, classes];
    });
    expect(told).toEqual([
      ['all', null, 'digest-3', ['one', 'two'], ['content', 'documents', 'price', 'text']],
      ['prices', null, 'digest-1', ['one'], ['price']],
      ['british', null, 'digest-1', ['two'], ['text']],
      ['papers', 'digest-1', 'digest-2', [], ['documents']],
      ['journal', 'digest-2', 'digest-3', [], ['content']],
    ]);
  });

  it('let a hook without any hear of a change that can’t be named', async () => {
    await open({ name: 'all' }, { name: 'prices', classes: ['price'] });
    outbox.change();
    expect(outbox.messages().map(({ hook }) => hook)).toEqual(['all']);
  });

  it('say what the receiver was last told of, not what it never heard', async () => {
    await open({ name: 'prices', classes: ['price'] });
    outbox.change({ id: 'one' });
    await outbox.send();
    outbox.change({ fields: [{ field: 'name', before: 'a', after: 'b' }] });
    outbox.change({ id: 'two' });
    await outbox.send();
    expect(events()[1]).toMatchObject({ previousDigest: 'digest-1', digest: 'digest-3', gtins: ['two'] });
  });
});

describe('what is already live', () => {
  it('is not told', async () => {
    await open({ name: 'site', skipIfLive: true });
    shows({ digest: outbox.change({}), built: new Date().toISOString(), pages: 3, version: '1' });
    expect(await outcomes()).toEqual(['live']);
    expect([states(), receiver.received]).toEqual([['live'], []]);
    expect(site.received).toMatchObject([{ method: 'GET', url: '/build.json' }]);
  });

  it.each([
    ['shows something else', () => shows({ digest: 'digest-0' })],
    ['answers with an error', () => shows({ digest: 'digest-1' }, 500)],
    ['answers with a page', () => shows('<!doctype html>')],
    ['answers with other JSON', () => shows(null)],
    ['answers nothing', () => (site.answer = () => undefined)],
    ['can’t be reached', () => site.close()],
  ])('is not to be known of a site that %s', async (_, prepare) => {
    await open({ name: 'site', skipIfLive: true });
    await prepare();
    outbox.change({});
    expect(await outbox.send({ timeoutMs: 3000 })).toMatchObject([{ outcome: 'delivered' }]);
  });

  it('is neither told nor counted as tried when the sender is stopped while it asks', async () => {
    await open({ name: 'site', skipIfLive: true });
    const stop = new AbortController();
    site.answer = () => {
      stop.abort();
      return { status: 404 };
    };
    outbox.change({});
    expect(await outbox.send({ signal: stop.signal })).toMatchObject([{ outcome: 'pending' }]);
    expect([receiver.received, outbox.messages()]).toMatchObject([[], [{ attempts: 0 }]]);
  });

  it('may be replaced by a build that was told before: only a later one counts', async () => {
    await open({ name: 'site', skipIfLive: true });
    const built = new Date().toISOString();
    shows({ digest: 'digest-0', built });
    pass(SECOND);
    outbox.change({});
    await outbox.send();
    pass(SECOND);
    shows({ digest: outbox.change({}), built });
    expect(await outcomes()).toEqual(['delivered']);
    pass(SECOND);
    shows({ digest: outbox.change({}), built: new Date().toISOString() });
    expect(await outcomes()).toEqual(['live']);
  });

  it('is not asked for by default: not for a receiver of every change, and not of a site on this machine', async () => {
    await open({ name: 'generic' }, { name: 'netlify', type: 'netlify' });
    shows({ digest: outbox.change({}) });
    expect(await outcomes()).toEqual(['delivered', 'delivered']);
    expect(site.received).toEqual([]);
  });
});

describe('several hooks', () => {
  it('don’t wait for each other', async () => {
    await open({ name: 'slow' }, { name: 'quick', urlEnv: 'QUICK_URL' });
    outbox.environment['QUICK_URL'] = `${receiver.origin}/quick`;
    receiver.answer = ({ url }) => (url === '/quick' ? { status: 204 } : undefined);
    outbox.change({});
    expect(await outbox.send({ timeoutMs: 3000 })).toMatchObject([
      { hook: 'slow', outcome: 'failed' },
      { hook: 'quick', outcome: 'delivered' },
    ]);
    expect(listOutbox(outbox.settings, outbox.environment).messages).toMatchObject([
      { hook: 'quick', state: 'delivered', attempts: 1, digest: 'digest-1', classes: ['price'] },
      { hook: 'slow', state: 'in flight', attempts: 1, problem: 'timed out after 3000 ms' },
    ]);
  });
});

it('offline, nothing is sent', async () => {
  await open();
  outbox.settings.offline = true;
  outbox.change({});
  expect(await outcomes()).toEqual(['skipped']);
  expect(states()).toEqual(['pending']);
});

it('without a snapshot there is nothing to send, and none is begun', async () => {
  await open();
  expect(await outcomes()).toEqual([]);
  expect(() => listOutbox(outbox.settings)).toThrow(expect.objectContaining({ code: 'SNAPSHOT_MISSING' }));
  expect(() => retryMessages(outbox.settings, undefined)).toThrow(
    expect.objectContaining({ code: 'SNAPSHOT_MISSING' }),
  );
});
