import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Connection, type Shot } from './connection.ts';
import { processCpuSeconds } from './read-proc.ts';
import { startTestPostgres } from '#origin/platform/store/testing/start-test-postgres.ts';

type What = 'list' | 'item' | 'index' | 'create';

export interface OriginBenchRow {
  store: 'PGlite' | 'PostgreSQL';
  /**
   * `uncached` and `cached` are this origin, without and with answers that are kept; `bare` is what it is made of, with
   * the same rows from the same store; `before` is the origin of another checkout, `live` a server that runs elsewhere.
   */
  who: 'uncached' | 'before' | 'cached' | 'bare' | 'live';
  what: What | 'item, 304' | 'list, signed in';
  requestsPerSecond: number;
  /** Processor time of the server a request, without that of a database server. */
  cpuMs: number;
  p50Ms: number;
  p99Ms: number;
}

export interface OriginBenchOptions {
  /** For each kind of request, after warming up. */
  seconds: number;
  /** Folder of another checkout, with its packages, whose origin is measured beside this one. */
  before?: string | undefined;
  /** REST root of a publishing server with posts in it, which is only read. */
  liveUrl?: string | undefined;
}

const POSTS = 200;
/** Of them are asked for one by one. */
const ITEMS = 50;
/** As many as the measurements of the live server that these are compared with. */
const CONNECTIONS = 4;
const PASSWORD = '0123456789abcdef01234567';
export const AUTHORIZATION = `Basic ${Buffer.from(`editor:${PASSWORD}`).toString('base64')}`;
export const BOOTSTRAP = {
  site: { name: 'Bench', description: '', timezone: 'Europe/Berlin' },
  users: [{ login: 'editor', email: 'e@bench.example', name: 'Editor', role: 'editor', applicationPassword: PASSWORD }],
};
const TEXT = '<p>Luftdicht und winddicht sind zwei Schichten, und jede hat ihre Seite der Dämmung.</p>\n'.repeat(12);

/**
 * Asks servers in processes of their own for lists, items and the index, and has posts written, over four connections:
 * on PGlite, and on PostgreSQL where its programs are found. They take turns of a second, as the speed of a machine
 * changes from minute to minute.
 */
export async function* benchOrigin(options: OriginBenchOptions): AsyncGenerator<OriginBenchRow> {
  const { liveUrl, seconds } = options;
  const live = liveUrl === undefined ? [] : [await readLive(liveUrl)];
  const onPglite = await startServers(() => Promise.resolve(undefined), options);
  yield* measure('PGlite', [...onPglite, ...live], seconds);
  const postgres = await startTestPostgres();
  if (!postgres) return;
  try {
    const servers = await startServers((name) => postgres.createDatabase(name), options);
    yield* measure('PostgreSQL', [...servers, ...live], seconds);
  } finally {
    await postgres.stop();
  }
}

/** A server with what is asked of it. */
interface Server extends Running {
  who: OriginBenchRow['who'];
  asked: Partial<Record<OriginBenchRow['what'], (n: number) => Shot>>;
}

async function startServers(
  createDatabase: (name: string) => Promise<string | undefined>,
  { before }: OriginBenchOptions,
): Promise<Server[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sortiment-bench-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  const bootstrap = path.join(folder, 'bootstrap.json');
  writeFileSync(bootstrap, JSON.stringify(BOOTSTRAP));
  const databaseUrl = await createDatabase('bench');
  const env = { DATABASE_URL: databaseUrl ?? '', BOOTSTRAP: bootstrap };
  const filled = await startOrigin({ dataFolder: path.join(folder, 'filled'), env });
  const firstId = await fillOrigin(filled.url);
  await filled.stop();
  // The embedded store is for one process; a database is for all of them.
  const copy = (name: string) => {
    const dataFolder = path.join(folder, name);
    cpSync(path.join(folder, 'filled'), dataFolder, { recursive: true });
    return dataFolder;
  };

  const { create: written, ...read } = requests(firstId);
  const uncached = await startOrigin({ dataFolder: copy('uncached'), env: { ...env, ORIGIN_CACHE_MB: '0' } });
  const cached = await startOrigin({ dataFolder: copy('cached'), env });
  const etag = await readEtag(cached.url, read.item(0).path);
  const bareOptions = JSON.stringify({ folder: copy('bare'), databaseUrl });
  const bare = await startProcess(path.join(import.meta.dirname, 'serve-bare.ts'), [bareOptions]);
  const servers: Server[] = [
    { ...uncached, who: 'uncached', asked: read },
    {
      ...cached,
      who: 'cached',
      asked: {
        ...read,
        'item, 304': () => ({ ...read.item(0), headers: { 'if-none-match': etag }, status: 304 }),
        'list, signed in': () => ({ ...read.list(0), headers: { authorization: AUTHORIZATION } }),
        create: written,
      },
    },
    {
      ...bare,
      who: 'bare',
      asked: { list: () => get('/posts'), item: (n) => get(`/posts/${firstId + (n % ITEMS)}`) },
    },
  ];
  if (before === undefined) return servers;
  const other = { DATABASE_URL: (await createDatabase('before')) ?? '', BOOTSTRAP: bootstrap };
  const origin = await startOrigin({ dataFolder: path.join(folder, 'before'), env: other, checkout: before });
  return [...servers, { ...origin, who: 'before', asked: requests(await fillOrigin(origin.url)) }];
}

async function readLive(liveUrl: string): Promise<Server> {
  const root = new URL(liveUrl.endsWith('/') ? liveUrl : `${liveUrl}/`);
  const posts = `${root.pathname}wp/v2/posts`;
  const answer = await fetch(new URL(posts, root));
  const [first] = (await answer.json()) as { id: number }[];
  const asked = {
    list: () => get(`${posts}?per_page=10`),
    item: () => get(`${posts}/${first?.id}`),
    index: () => get(root.pathname),
  };
  return { url: root.origin, pid: undefined, stop: () => Promise.resolve(), who: 'live', asked };
}

/** In this order: what is created makes lists longer. */
const ORDER: readonly OriginBenchRow['what'][] = ['list', 'item', 'index', 'item, 304', 'list, signed in', 'create'];

/** Measures servers in turns, and stops them. */
async function* measure(
  store: OriginBenchRow['store'],
  servers: readonly Server[],
  seconds: number,
): AsyncGenerator<OriginBenchRow> {
  try {
    for (const what of ORDER) {
      const turns = servers.flatMap((server) => {
        const shot = server.asked[what];
        return shot ? [{ ...server, shot, times: [] as number[], cpu: 0 }] : [];
      });
      for (const one of turns) await shootFor(one.url, one.shot, 0, WARM_SECONDS, WARM_REQUESTS);
      for (let turn = 0; turn < seconds; turn += 1) {
        for (const one of turns) {
          const cpu = cpuOf(one);
          const times = await shootFor(one.url, one.shot, WARM_REQUESTS + one.times.length, 1);
          one.times.push(...times);
          one.cpu += cpuOf(one) - cpu;
        }
      }
      for (const { who, times, cpu } of turns) {
        const sorted = times.toSorted((a, b) => a - b);
        const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
        const rate = times.length / seconds;
        const cpuMs = (cpu * 1000) / times.length;
        yield { store, who, what, requestsPerSecond: rate, cpuMs, p50Ms: at(0.5), p99Ms: at(0.99) };
      }
    }
  } finally {
    await Promise.all(servers.map(({ stop }) => stop()));
  }
}

function cpuOf({ pid }: Running): number {
  return (pid === undefined ? undefined : processCpuSeconds(pid)) ?? Number.NaN;
}

const PAIRS = [
  ['uncached', 'bare'],
  ['cached', 'uncached'],
  ['cached', 'before'],
  ['uncached', 'before'],
  ['cached', 'live'],
] as const;

/** How many times as fast one server is as another in this run, by the clock and by its own processor time. */
export function compareRows(rows: readonly OriginBenchRow[]) {
  return rows.flatMap((row) =>
    PAIRS.flatMap(([who, than]) => {
      const isOther = (other: OriginBenchRow) =>
        other.store === row.store && other.what === row.what && other.who === than;
      const other = row.who === who ? rows.find(isOther) : undefined;
      if (!other) return [];
      const { store, what } = row;
      const [byClock, byCpu] = [row.requestsPerSecond / other.requestsPerSecond, other.cpuMs / row.cpuMs];
      return [{ store, what, who, than, byClock, byCpu }];
    }),
  );
}

export function get(address: string): Shot {
  return { method: 'GET', path: address };
}

function requests(firstId: number): Record<What, (n: number) => Shot> {
  return {
    list: () => get('/rest/core/v2/posts?per_page=10'),
    item: (n) => get(`/rest/core/v2/posts/${firstId + (n % ITEMS)}`),
    index: () => get('/rest/'),
    create: (n) => create(POSTS + n),
  };
}

export function create(n: number): Shot {
  const body = JSON.stringify({ title: `Beitrag ${n}`, content: TEXT, status: 'publish' });
  const headers = { authorization: AUTHORIZATION, 'content-type': 'application/json' };
  return { method: 'POST', path: '/rest/core/v2/posts', body, headers, status: 201 };
}

interface Running {
  url: string;
  /** Of a process on this machine. */
  pid: number | undefined;
  stop(): Promise<void>;
}

interface StartOriginOptions {
  dataFolder: string;
  env: Readonly<Record<string, string>>;
  /** @default this one */
  checkout?: string;
}

export function startOrigin({ dataFolder, env, checkout }: StartOriginOptions): Promise<Running> {
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
  return { url, pid: child.pid, stop };
}

/** Writes the posts that are asked for, one after the other; gives the id of the first. */
export async function fillOrigin(url: string): Promise<number> {
  const connection = await Connection.open(url);
  for (let n = 0; n < POSTS; n += 1) await connection.fire(create(n));
  connection.close();
  const answer = await fetch(`${url}/rest/core/v2/posts?per_page=1&orderby=id&order=asc`);
  const [first] = (await answer.json()) as { id: number }[];
  return first?.id ?? Number.NaN;
}

async function readEtag(url: string, address: string): Promise<string> {
  const answer = await fetch(url + address);
  await answer.arrayBuffer();
  return answer.headers.get('etag') ?? '';
}

const WARM_SECONDS = 10;
/** Servers run for days, so they are measured when V8 has compiled them. After 500 requests it has not. */
const WARM_REQUESTS = 3000;

/** Keeps all connections busy; gives how long each request took, in ms. */
async function shootFor(
  url: string,
  shot: (n: number) => Shot,
  first: number,
  seconds: number,
  most = Number.POSITIVE_INFINITY,
): Promise<number[]> {
  const times: number[] = [];
  let n = first;
  await overConnections(url, async (connection) => {
    const end = performance.now() + seconds * 1000;
    for (let begun = performance.now(); begun < end && times.length < most;) {
      n += 1;
      await connection.fire(shot(n));
      const now = performance.now();
      times.push(now - begun);
      begun = now;
    }
  });
  return times;
}

/** Runs something over each of the connections at once, which are open when it begins. */
export async function overConnections(url: string, run: (connection: Connection) => Promise<void>): Promise<void> {
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => Connection.open(url)));
  try {
    await Promise.all(connections.map(run));
  } finally {
    for (const connection of connections) connection.close();
  }
}
