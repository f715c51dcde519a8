import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { OptionsInput } from '#config/index.ts';
import { previewTestRequest, testHook } from './test-hook.ts';
import { createTestOutbox, type TestOutbox } from './testing/test-outbox.ts';
import { startTestReceiver, type ReceiverAnswer, type TestReceiver } from './testing/test-receiver.ts';

type HookInput = NonNullable<OptionsInput['hooks']>[number];

const KEYS = [1, 2].map((byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`);
const TOKEN = 'ghp_T0kenT0kenT0ken';
const PATH = '/build_hooks/5ec7e75ec7e7';
const SECRETS = [...KEYS, ...KEYS.map((key) => key.slice(6)), TOKEN, PATH, '5ec7e75ec7e7', 's3cretQuery'];

let receiver: TestReceiver;
let outbox: TestOutbox;
beforeEach(async () => {
  receiver = await startTestReceiver();
});
afterEach(async () => {
  await receiver.close();
  await outbox.remove();
});

async function open(hook: HookInput): Promise<void> {
  outbox = await createTestOutbox([hook], {
    environment: {
      PATH: process.env['PATH'],
      SORTIMENT_HOOK_URL: receiver.origin + PATH,
      SORTIMENT_HOOK_SECRET: KEYS.join(' '),
      SORTIMENT_HOOK_TOKEN: TOKEN,
    },
  });
}

/** Sends one changed price and returns what came in. */
async function announce(hook: HookInput, answer: ReceiverAnswer = { status: 200 }) {
  await open(hook);
  receiver.answer = () => answer;
  outbox.change({ language: 'de-de' });
  const deliveries = await outbox.send();
  const [request] = receiver.received;
  if (!request) throw new Error('nothing came in');
  return { request, deliveries, event: event() };
}

const event = (): Record<string, unknown> => {
  const [message] = outbox.messages();
  return { id: message?.id, ...(JSON.parse(message?.body ?? '') as Record<string, unknown>) };
};

const github = (hook: object): HookInput =>
  ({ name: 'site', repository: 'haldenwerk/site', apiUrl: `${receiver.origin}/api/v3/`, ...hook }) as HookInput;
const gitlab = (hook: object = {}): HookInput =>
  ({
    name: 'site',
    type: 'gitlab',
    project: 'haldenwerk/site',
    apiUrl: `${receiver.origin}/api/v4`,
    ...hook,
  }) as HookInput;

const command = (script: string, timeoutSeconds = 30): HookInput => ({
  name: 'local',
  type: 'command',
  command: [process.execPath, '-e', script],
  timeoutSeconds,
});

describe('the request to', () => {
  it('a generic hook is signed with each key over the exact bytes', async () => {
    const { request, event } = await announce({ name: 'site' });
    expect(request).toMatchObject({ method: 'POST', url: PATH, headers: { 'content-type': 'application/json' } });
    expect(request.headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
    for (const key of KEYS) {
      expect(new Webhook(key).verify(request.body, request.headers)).toEqual({
        type: 'catalogue.changed',
        timestamp: expect.any(String),
        data: {
          runId: 'run_digest-1',
          previousDigest: null,
          digest: 'digest-1',
          counts: { product: { 'de-de': { added: 0, changed: 1, removed: 0 } } },
          gtins: ['9524010000016'],
          classes: ['price'],
        },
      });
    }
    expect(() => new Webhook(KEYS[0] ?? '').verify(`${request.body} `, request.headers)).toThrow();
    expect(request.id).toBe(event.id);
  });

  it('Netlify names the branch and what changed', async () => {
    const { request, event } = await announce({ name: 'site', type: 'netlify', branch: 'main', clearCache: true });
    const url = new URL(request.url, receiver.origin);
    expect([request.method, url.pathname]).toEqual(['POST', PATH]);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      trigger_branch: 'main',
      trigger_title: 'catalogue.changed: price; 1 product',
      clear_cache: 'true',
    });
    expect(JSON.parse(request.body)).toEqual({
      id: event.id,
      type: 'catalogue.changed',
      runId: 'run_digest-1',
      digest: 'digest-1',
      classes: ['price'],
    });
  });

  it('Vercel has no payload', async () => {
    const { request } = await announce({ name: 'site', type: 'vercel', buildCache: false });
    expect(request).toMatchObject({ method: 'POST', url: `${PATH}?buildCache=false`, body: '' });
    expect(request.headers).toMatchObject({ 'content-length': '0' });
  });

  it.each(['cloudflare-pages', 'cloudflare-workers'] as const)('%s has no payload', async (type) => {
    const { request } = await announce({ name: 'site', type }, { status: 200, body: '{"success":true}' });
    expect(request).toMatchObject({ method: 'POST', url: PATH, body: '' });
  });

  it('GitHub is a repository_dispatch', async () => {
    const hook = github({ type: 'github-repository-dispatch' });
    const { request, event } = await announce(hook, { status: 204 });
    expect(request).toMatchObject({
      method: 'POST',
      url: '/api/v3/repos/haldenwerk/site/dispatches',
      headers: {
        accept: 'application/vnd.github+json',
        authorization: `Bearer ${TOKEN}`,
        'content-type': 'application/json',
        'x-github-api-version': '2022-11-28',
      },
    });
    const { data, ...rest } = event as Record<string, unknown>;
    expect(JSON.parse(request.body)).toEqual({
      event_type: 'catalogue-changed',
      client_payload: { ...rest, ...(data as object) },
    });
  });

  it('GitHub is a repository_dispatch within its limits, however much changed', async () => {
    await open(github({ type: 'github-repository-dispatch' }));
    const changes = Array.from({ length: 3000 }, (_, index) => ({
      id: `95240${String(index).padStart(8, '0')}`,
      language: `${String.fromCodePoint(97 + (index % 26), 97 + (Math.floor(index / 26) % 26))}-${index}`,
    }));
    outbox.change(...changes);
    await outbox.send();
    const { client_payload: payload } = JSON.parse(receiver.received[0]?.body ?? '') as { client_payload: object };
    expect(Object.keys(payload).length).toBeLessThanOrEqual(10);
    expect(JSON.stringify(payload).length).toBeLessThan(65_535);
    expect(payload).toMatchObject({ digest: 'digest-1', gtins: { length: 100 } });
  });

  it('GitHub is a workflow_dispatch', async () => {
    const { request } = await announce(
      github({
        type: 'github-workflow-dispatch',
        workflow: 'deploy.yml',
        ref: 'live',
        inputs: { digest: '{digest}', why: '{classes} of {gtins}' },
      }),
      { status: 204 },
    );
    expect(request).toMatchObject({
      method: 'POST',
      url: '/api/v3/repos/haldenwerk/site/actions/workflows/deploy.yml/dispatches',
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    expect(JSON.parse(request.body)).toEqual({
      ref: 'live',
      inputs: { digest: 'digest-1', why: 'price of 9524010000016' },
    });
  });

  it('GitLab is a form', async () => {
    const { request, event } = await announce(
      gitlab({ variables: { MESSAGE: '{id}' }, inputs: { digest: '{digest}' } }),
    );
    expect(request).toMatchObject({
      method: 'POST',
      url: '/api/v4/projects/haldenwerk%2Fsite/trigger/pipeline',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(Object.fromEntries(new URLSearchParams(request.body))).toEqual({
      token: TOKEN,
      ref: 'main',
      'variables[MESSAGE]': event.id,
      'inputs[digest]': 'digest-1',
    });
  });
});

describe('the answer of', () => {
  const WORKERS = '{"success":true,"result":{"build_uuid":"b-1","branch":"main","worker":"site"}}';
  it.each<[string, () => HookInput, ReceiverAnswer, string, string]>([
    ['Netlify', () => ({ name: 'site', type: 'netlify' }), { status: 404 }, 'failed', '404'],
    [
      'Vercel',
      () => ({ name: 'site', type: 'vercel' }),
      { status: 201, body: '{"job":{"id":"j-1"}}' },
      'delivered',
      'j-1',
    ],
    [
      'Vercel, not JSON',
      () => ({ name: 'site', type: 'vercel' }),
      { status: 201, body: '<html>' },
      'delivered',
      'msg_',
    ],
    [
      'Pages',
      () => ({ name: 'site', type: 'cloudflare-pages' }),
      { status: 200, body: '{"result":{"id":"p-1"}}' },
      'delivered',
      'p-1',
    ],
    [
      'Pages',
      () => ({ name: 'site', type: 'cloudflare-pages' }),
      { status: 200, body: '{"success":false}' },
      'failed',
      '200, but no success',
    ],
    [
      'Workers',
      () => ({ name: 'site', type: 'cloudflare-workers' }),
      { status: 200, body: WORKERS },
      'delivered',
      'b-1',
    ],
    [
      'Workers',
      () => ({ name: 'site', type: 'cloudflare-workers' }),
      { status: 200, body: '{"success":false}' },
      'failed',
      '200, but no success',
    ],
    [
      'Workers',
      () => ({ name: 'site', type: 'cloudflare-workers' }),
      { status: 200, body: '<html>' },
      'failed',
      '200, but no success',
    ],
    ['GitHub', () => github({ type: 'github-repository-dispatch' }), { status: 404 }, 'failed', 'no such repository'],
    [
      'GitHub',
      () => github({ type: 'github-workflow-dispatch', workflow: 'x.yml' }),
      { status: 422 },
      'failed',
      'the ref',
    ],
    ['GitLab', gitlab, { status: 201, body: '{"id":257,"web_url":"x"}' }, 'delivered', '257'],
    ['GitLab', gitlab, { status: 404 }, 'failed', 'or the trigger token belongs to another project'],
  ])('%s is understood', async (_, hook, answer, outcome, said) => {
    const { deliveries } = await announce(hook(), answer);
    expect(deliveries).toMatchObject([{ hook: 'site', outcome }]);
    expect(outbox.log.join('\n')).toContain(said);
  });
});

describe('a command', () => {
  it('gets the message on its standard input, and no shell', async () => {
    await open({
      name: 'local',
      type: 'command',
      command: [
        process.execPath,
        '-e',
        `const { readFileSync, writeFileSync } = require('node:fs');
         const { SORTIMENT_MESSAGE_ID: id } = process.env;
         writeFileSync('told.json', JSON.stringify({ id, words: process.argv.slice(1), body: readFileSync(0, 'utf8') }))`,
        '$HOME; "two words"',
      ],
    });
    outbox.change({});
    expect(await outbox.send()).toMatchObject([{ outcome: 'delivered' }]);
    const [message] = outbox.messages();
    expect(JSON.parse(readFileSync(path.join(outbox.settings.root, 'told.json'), 'utf8'))).toEqual({
      id: message?.id,
      words: ['$HOME; "two words"'],
      body: message?.body,
    });
  });

  it.each<[string, HookInput, string]>([
    ['another exit code', command('process.exit(3)'), 'exit code 3'],
    ['a signal', command(`process.kill(process.pid, 'SIGTERM')`), 'ended by SIGTERM'],
    ['a command that takes too long', command('setInterval(() => {}, 1000)', 0.5), 'timed out after 0.5 s'],
    ['a program that is not there', { name: 'local', type: 'command', command: ['no-such-program'] }, 'ENOENT'],
  ])('has failed with %s', async (_, hook, problem) => {
    await open(hook);
    outbox.change({});
    expect(await outbox.send()).toMatchObject([{ outcome: 'failed', problem }]);
  });

  it.each(['takes too long', 'is stopped'])('that %s is ended with all that it has started', async (why) => {
    const started = `const { spawn } = require('node:child_process');
      const { pid } = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
      require('node:fs').writeFileSync('pid', String(pid)); setInterval(() => {}, 1000);`;
    await open(command(started, why === 'takes too long' ? 10 : 30));
    outbox.change({});
    const stop = new AbortController();
    const sent = outbox.send({ signal: stop.signal });
    const file = path.join(outbox.settings.root, 'pid');
    await vi.waitFor(() => expect(readFileSync(file, 'utf8')).not.toBe(''), 20_000);
    const pid = Number(readFileSync(file, 'utf8'));
    if (why === 'is stopped') stop.abort();
    expect(await sent).toMatchObject([{ outcome: why === 'is stopped' ? 'pending' : 'failed' }]);
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), 10_000);
  });
});

describe('secrets', () => {
  const hooks: [string, () => HookInput][] = [
    ['generic', () => ({ name: 'site' })],
    ['netlify', () => ({ name: 'site', type: 'netlify', branch: 'main' })],
    ['vercel', () => ({ name: 'site', type: 'vercel' })],
    ['cloudflare-pages', () => ({ name: 'site', type: 'cloudflare-pages' })],
    ['cloudflare-workers', () => ({ name: 'site', type: 'cloudflare-workers' })],
    ['github-repository-dispatch', () => github({ type: 'github-repository-dispatch' })],
    ['github-workflow-dispatch', () => github({ type: 'github-workflow-dispatch', workflow: 'x.yml' })],
    ['gitlab', () => gitlab()],
  ];

  it.each(hooks)('of %s are nowhere but in the request', async (type, hook) => {
    await open(hook());
    outbox.environment['SORTIMENT_HOOK_URL'] += '?key=s3cretQuery';
    // A target that throws back at us everything it knows.
    const known = type === 'generic' ? KEYS : [];
    receiver.answer = ({ url, headers, body }) => ({ status: 500, body: JSON.stringify([url, headers, body, known]) });
    outbox.change({});
    await outbox.send();
    const tested = await testHook(outbox.settings, 'site', { environment: outbox.environment });
    receiver.answer = ({ headers }) => ({
      status: 200,
      body: JSON.stringify({ success: true, id: TOKEN, result: { id: PATH, build_uuid: PATH }, job: headers }),
    });
    await outbox.send({ early: true });
    outbox.change({ language: 'en-gb' });
    await receiver.close();
    await outbox.send();
    const shown = previewTestRequest(outbox.settings, 'site', { environment: outbox.environment });
    const everything = [
      outbox.log.join('\n'),
      readFileSync(outbox.settings.snapshotPath, 'latin1'),
      JSON.stringify(tested),
      JSON.stringify(shown),
    ];
    expect(tested.answer?.status).toBe(500);
    expect(outbox.messages().map(({ state }) => state)).toEqual(['delivered', 'pending']);
    expect(outbox.log.join('\n')).toContain('ECONNREFUSED');
    for (const text of everything) for (const secret of SECRETS) expect(text).not.toContain(secret);
  });

  it('are masked in a request that is shown, and nothing else is', async () => {
    await open(github({ type: 'github-repository-dispatch' }));
    expect(previewTestRequest(outbox.settings, 'site', { environment: outbox.environment })).toMatchObject({
      method: 'POST',
      url: `${receiver.origin}/api/v3/repos/haldenwerk/site/dispatches`,
      headers: { authorization: 'Bearer ***', 'x-github-api-version': '2022-11-28' },
      body: expect.stringContaining('"type":"catalogue.test"'),
    });
    await outbox.remove();
    await open({ name: 'site', type: 'netlify', branch: 'main' });
    expect(previewTestRequest(outbox.settings, 'site', { environment: outbox.environment })).toMatchObject({
      url: `${receiver.origin}/***?trigger_branch=main&trigger_title=catalogue.test`,
    });
    expect(receiver.received).toEqual([]);
  });
});
