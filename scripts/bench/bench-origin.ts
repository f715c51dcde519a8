import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Pool } from 'undici';
import { startTestPostgres } from '#origin/platform/store/testing/start-test-postgres.ts';

const WHATS = ['list', 'item', 'index', 'create'] as const;
type What = (typeof WHATS)[number];

export interface OriginBenchRow {
  store: 'PGlite' | 'PostgreSQL' | 'live';
  /**
   * `uncached` and `cached` are this origin, without and with answers that are kept; `bare` is what it is made of, with
   * the same rows from the same store; `before` is the origin of another checkout, `live` a server that runs elsewhere.
   */
  who: 'uncached' | 'before' | 'cached' | 'bare' | 'live';
  what: What | 'item, 304' | 'list, signed in';
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
}

export interface OriginBenchOptions {
  /** For each kind of request, after a second of warming up. */
  seconds: number;
  /** Folder of another checkout, with its packages, whose origin is measured beside this one. */
  before?: string | undefined;
  /** REST root of a publishing server with posts in it, which is only read. */
  liveUrl?: string | undefined;
}

const POSTS = 200;
/** As many as the measurements of the live server that these are compared with. */
const CONNECTIONS = 4;
const PASSWORD = '0123456789abcdef01234567';
const AUTHORIZATION = `Basic ${Buffer.from(`editor:${PASSWORD}`).toString('base64')}`;
const BOOTSTRAP = {
  site: { name: 'Bench', description: '', timezone: 'Europe/Berlin' },
  users: [{ login: 'editor', email: 'e@bench.example', name: 'Editor', role: 'editor', applicationPassword: PASSWORD }],
};
const TEXT = '<p>Luftdicht und winddicht sind zwei Schichten, und jede hat ihre Seite der Dämmung.</p>\n'.repeat(12);

interface Shot {
  method: 'GET' | 'POST';
  path: string;
  body?: string;
  headers?: Record<string, string>;
  /** @default 200 */
  status?: number;
}

/**
 * Asks an origin of its own process for lists, items and the index, and has posts written, over four connections: on
 * PGlite, and on PostgreSQL where its programs are found.
 */
export async function* benchOrigin(options: OriginBenchOptions): AsyncGenerator<OriginBenchRow> {
  yield* measureStore('PGlite', () => Promise.resolve(undefined), options);
  const postgres = await startTestPostgres();
  try {
    if (postgres) yield* measureStore('PostgreSQL', (name) => postgres.createDatabase(name), options);
  } finally {
    await postgres?.stop();
  }
  if (options.liveUrl !== undefined) yield* measureLive(options.liveUrl, options.seconds);
}

async function* measureStore(
  store: OriginBenchRow['store'],
  createDatabase: (name: string) => Promise<string | undefined>,
  { seconds, before }: OriginBenchOptions,
): AsyncGenerator<OriginBenchRow> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sortiment-bench-'));
  const bootstrap = path.join(folder, 'bootstrap.json');
  writeFileSync(bootstrap, JSON.stringify(BOOTSTRAP));
  try {
    const databaseUrl = await createDatabase('bench');
    const dataFolder = path.join(folder, 'origin');
    const env = { DATABASE_URL: databaseUrl ?? '', BOOTSTRAP: bootstrap };
    const uncached = await startOrigin({ dataFolder, env: { ...env, ORIGIN_CACHE_MB: '0' } });
    const firstId = await fillOrigin(uncached.url);
    const { create: written, ...read } = requests(firstId);
    yield* measure(store, 'uncached', uncached, read, seconds);

    const bare = await startProcess(path.join(import.meta.dirname, 'serve-bare.ts'), [
      JSON.stringify({ folder: dataFolder, databaseUrl }),
    ]);
    const bareRequests = {
      list: () => get('/posts'),
      item: (n: number) => get(`/posts/${firstId + (n % POSTS)}`),
    };
    yield* measure(store, 'bare', bare, bareRequests, seconds);

    const cached = await startOrigin({ dataFolder, env });
    const etag = await readEtag(cached.url, read.item(0).path);
    const repeated = {
      ...read,
      'item, 304': () => ({ ...read.item(0), headers: { 'if-none-match': etag }, status: 304 }),
      'list, signed in': () => ({ ...read.list(0), headers: { authorization: AUTHORIZATION } }),
      // Last, as it makes lists longer.
      create: written,
    };
    yield* measure(store, 'cached', cached, repeated, seconds);

    if (before === undefined) return;
    const other = { DATABASE_URL: (await createDatabase('before')) ?? '', BOOTSTRAP: bootstrap };
    const origin = await startOrigin({ dataFolder: path.join(folder, 'before'), env: other, checkout: before });
    yield* measure(store, 'before', origin, requests(await fillOrigin(origin.url)), seconds);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function* measureLive(liveUrl: string, seconds: number): AsyncGenerator<OriginBenchRow> {
  const root = new URL(liveUrl.endsWith('/') ? liveUrl : `${liveUrl}/`);
  const posts = `${root.pathname}wp/v2/posts`;
  const answer = await fetch(new URL(posts, root));
  const [first] = (await answer.json()) as { id: number }[];
  const live = { url: root.origin, stop: () => Promise.resolve() };
  const asked = {
    list: () => get(`${posts}?per_page=10`),
    item: () => get(`${posts}/${first?.id}`),
    index: () => get(root.pathname),
  };
  yield* measure('live', 'live', live, asked, seconds);
}

/** Rates of this run by each other, as goals are set. */
export function ratiosOf(rows: readonly OriginBenchRow[]): Record<string, number> {
  const rate = (store: string, who: string, what: string) =>
    rows.find((row) => row.store === store && row.who === who && row.what === what)?.requestsPerSecond ?? Number.NaN;
  const pairs = [
    ['uncached', 'bare'],
    ['cached', 'uncached'],
    ['uncached', 'before'],
    ['cached', 'before'],
  ] as const;
  const ratios = (['PGlite', 'PostgreSQL'] as const).flatMap((store) =>
    WHATS.flatMap((what) => [
      ...pairs.map(
        ([one, other]) =>
          [`${store}, ${what}: ${one} to ${other}`, rate(store, one, what) / rate(store, other, what)] as const,
      ),
      [`${store}, ${what}: cached to live`, rate(store, 'cached', what) / rate('live', 'live', what)] as const,
    ]),
  );
  return Object.fromEntries(ratios.filter(([, ratio]) => !Number.isNaN(ratio)));
}

function get(address: string): Shot {
  return { method: 'GET', path: address };
}

function requests(firstId: number): Record<What, (n: number) => Shot> {
  return {
    list: () => get('/rest/core/v2/posts?per_page=10'),
    item: (n) => get(`/rest/core/v2/posts/${firstId + (n % POSTS)}`),
    index: () => get('/rest/'),
    create: (n) => create(POSTS + n),
  };
}

function create(n: number): Shot {
  const body = JSON.stringify({ title: `Beitrag ${n}`, content: TEXT, status: 'publish' });
  const headers = { authorization: AUTHORIZATION, 'content-type': 'application/json' };
  return { method: 'POST', path: '/rest/core/v2/posts', body, headers, status: 201 };
}

/** Measures all requests of a server, and stops it. */
async function* measure(
  store: OriginBenchRow['store'],
  who: OriginBenchRow['who'],
  server: Running,
  asked: Partial<Record<OriginBenchRow['what'], (n: number) => Shot>>,
  seconds: number,
): AsyncGenerator<OriginBenchRow> {
  const pool = new Pool(server.url, { connections: CONNECTIONS });
  try {
    for (const [what, shot] of Object.entries(asked)) {
      await shootFor(pool, shot, 1);
      const times = (await shootFor(pool, shot, seconds)).toSorted((a, b) => a - b);
      const at = (share: number) => times[Math.floor((times.length - 1) * share)] ?? Number.NaN;
      yield {
        store,
        who,
        what: what as OriginBenchRow['what'],
        requestsPerSecond: times.length / seconds,
        p50Ms: at(0.5),
        p99Ms: at(0.99),
      };
    }
  } finally {
    await pool.close();
    await server.stop();
  }
}

interface Running {
  url: string;
  stop(): Promise<void>;
}

interface StartOriginOptions {
  dataFolder: string;
  env: Readonly<Record<string, string>>;
  /** @default this one */
  checkout?: string;
}

function startOrigin({ dataFolder, env, checkout }: StartOriginOptions): Promise<Running> {
  const script = path.join(checkout ?? path.join(import.meta.dirname, '../..'), 'scripts/origin.ts');
  return startProcess(script, ['--data', dataFolder, '--json'], env);
}

/** Starts a program that tells its address in its first line. */
async function startProcess(script: string, args: readonly string[], env: object = {}): Promise<Running> {
  const child = spawn(process.execPath, ['--max-semi-space-size=8', script, ...args], {
    cwd: path.dirname(path.dirname(script)),
    env: { ...process.env, SITE_URL: '', PORT: '0', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const [line] = (await Promise.race([once(child.stdout, 'data'), ended])) as [unknown];
  if (!Buffer.isBuffer(line)) throw new Error(`${script} ended before it told its address.`);
  const { url } = JSON.parse(String(line)) as { url: string };
  const stop = async () => {
    child.stdin.end();
    child.kill('SIGTERM');
    await ended;
  };
  return { url, stop };
}

/** Writes the posts that are asked for, one after the other; gives the id of the first. */
async function fillOrigin(url: string): Promise<number> {
  const pool = new Pool(url, { connections: 1 });
  const { id } = JSON.parse(await fire(pool, create(-1))) as { id: number };
  for (let n = 1; n < POSTS; n += 1) await fire(pool, create(n));
  await pool.close();
  return id;
}

async function readEtag(url: string, address: string): Promise<string> {
  const answer = await fetch(url + address);
  await answer.arrayBuffer();
  return answer.headers.get('etag') ?? '';
}

/** Keeps all connections busy; gives how long each request took, in ms. */
async function shootFor(pool: Pool, shot: (n: number) => Shot, seconds: number): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + seconds * 1000;
  let n = 0;
  const shooter = async () => {
    while (performance.now() < end) {
      n += 1;
      const begun = performance.now();
      await fire(pool, shot(n));
      times.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, shooter));
  return times;
}

async function fire(pool: Pool, { method, path: address, body, headers = {}, status = 200 }: Shot): Promise<string> {
  const { statusCode, body: answer } = await pool.request({ method, path: address, headers, ...(body && { body }) });
  const text = await answer.text();
  if (statusCode !== status) throw new Error(`${method} ${address} was answered ${statusCode}: ${text.slice(0, 200)}`);
  return text;
}
