import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Pool } from 'undici';
import { startTestPostgres } from '#origin/platform/store/testing/start-test-postgres.ts';

export interface OriginBenchRow {
  store: 'PGlite' | 'PostgreSQL';
  what: 'list' | 'item' | 'index' | 'create';
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
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
}

/**
 * Asks an origin of its own process for lists, items and the index, and writes posts, over four connections for so
 * many seconds each, after a second of warming up. On PGlite, and on PostgreSQL where its programs are found.
 */
export async function* benchOrigin(seconds: number): AsyncGenerator<OriginBenchRow> {
  yield* measure('PGlite', undefined, seconds);
  const postgres = await startTestPostgres();
  if (!postgres) return;
  try {
    yield* measure('PostgreSQL', await postgres.createDatabase('bench'), seconds);
  } finally {
    await postgres.stop();
  }
}

async function* measure(
  store: OriginBenchRow['store'],
  databaseUrl: string | undefined,
  seconds: number,
): AsyncGenerator<OriginBenchRow> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sortiment-bench-'));
  const origin = await startOrigin(folder, databaseUrl);
  const pool = new Pool(origin.url, { connections: CONNECTIONS });
  try {
    const create = (n: number): Shot => ({ method: 'POST', path: '/rest/core/v2/posts', body: postOf(n) });
    for (let n = 0; n < POSTS; n += 1) await fire(pool, create(n));
    const shots: Record<OriginBenchRow['what'], (n: number) => Shot> = {
      list: () => ({ method: 'GET', path: '/rest/core/v2/posts?per_page=10' }),
      item: (n) => ({ method: 'GET', path: `/rest/core/v2/posts/${origin.firstId + (n % POSTS)}` }),
      index: () => ({ method: 'GET', path: '/rest/' }),
      create: (n) => create(POSTS + n),
    };
    for (const [what, shot] of Object.entries(shots)) {
      await shootFor(pool, shot, 1);
      const times = (await shootFor(pool, shot, seconds)).toSorted((a, b) => a - b);
      const at = (share: number) => times[Math.floor((times.length - 1) * share)] ?? Number.NaN;
      yield {
        store,
        what: what as OriginBenchRow['what'],
        requestsPerSecond: times.length / seconds,
        p50Ms: at(0.5),
        p99Ms: at(0.99),
      };
    }
  } finally {
    await pool.close();
    await origin.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function startOrigin(folder: string, databaseUrl = '') {
  const bootstrap = path.join(folder, 'bootstrap.json');
  writeFileSync(bootstrap, JSON.stringify(BOOTSTRAP));
  const env = { ...process.env, DATABASE_URL: databaseUrl, SITE_URL: '', PORT: '0', BOOTSTRAP: bootstrap };
  const script = path.join(import.meta.dirname, '../origin.ts');
  const child = spawn(
    process.execPath,
    ['--max-semi-space-size=8', script, '--data', path.join(folder, 'origin'), '--json'],
    {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ended = once(child, 'close');
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const { url } = JSON.parse(String(line)) as { url: string };
  const first = await fetch(`${url}/rest/core/v2/posts`, {
    method: 'POST',
    headers: { authorization: AUTHORIZATION, 'content-type': 'application/json' },
    body: postOf(-1),
  });
  const { id } = (await first.json()) as { id: number };
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  return { url, firstId: id, stop };
}

function postOf(n: number): string {
  return JSON.stringify({ title: `Beitrag ${n}`, content: TEXT, status: 'publish' });
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

async function fire(pool: Pool, { method, path: address, body }: Shot): Promise<void> {
  const { statusCode, body: answer } = await pool.request({
    method,
    path: address,
    headers: { authorization: AUTHORIZATION, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body }),
  });
  const text = await answer.text();
  if (statusCode >= 300) throw new Error(`${method} ${address} was answered ${statusCode}: ${text.slice(0, 200)}`);
}
