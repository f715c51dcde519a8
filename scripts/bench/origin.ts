import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Pool } from 'undici';
import { spawnServer, type SpawnedOrigin } from '../fixtures/spawn-origin.ts';
import { cpuSeconds, rejectStopped, residentMegabytes } from './measure.ts';

export interface OriginRow {
  route: string;
  /** The origin with and without its response cache, and plain Hono with the same JSON in memory. */
  server: 'cached' | 'uncached' | 'hono';
  requestsPerSecond: number;
  /** Requests per second relative to Hono. */
  ratio: number;
  /** CPU time of the server per request. */
  cpuMs: number;
  megabytes: number | undefined;
}

interface Route {
  path: string;
  method: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
}

const PASSWORD = '0123456789abcdef01234567';
const BOOTSTRAP = {
  site: { name: 'Bench', description: '', timezone: 'Europe/Berlin' },
  users: [{ login: 'editor', email: 'e@bench.example', name: 'Editor', role: 'editor', applicationPassword: PASSWORD }],
};
const CONNECTIONS = 4;
/** V8 compiles the code of a server during its first requests. */
const WARM_UP_SECONDS = 3;

export interface OriginOptions {
  /** Per route and server. */
  seconds: number;
  signal: AbortSignal;
  report: (message: string) => void;
}

/** Requests routes of the origin on its embedded store with the demo content. Servers take turns of a second. */
export async function benchOrigin({ seconds, signal, report }: OriginOptions): Promise<OriginRow[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sortiment-bench-'));
  const bootstrap = path.join(folder, 'bootstrap.json');
  writeFileSync(bootstrap, JSON.stringify(BOOTSTRAP));
  const servers = new Map<OriginRow['server'], SpawnedOrigin>();
  try {
    for (const name of ['cached', 'uncached'] as const) {
      const cache = `--cache-mb=${name === 'cached' ? 64 : 0}`;
      const args = ['--json', '--demo', cache, '--data', path.join(folder, name), '--bootstrap', bootstrap];
      servers.set(name, await spawnServer('origin.ts', args));
    }
    const origin = servers.get('cached')?.url ?? '';
    const routes = await createRoutes(origin);
    const paths = new Set(Object.values(routes).map((route) => route.path));
    servers.set('hono', await spawnServer('bench/serve-hono.ts', [origin, ...paths]));
    const rows: OriginRow[] = [];
    for (const [route, request] of Object.entries(routes)) {
      report(`Requesting: ${route}`);
      const totals = [...servers].map(([name, server]) => ({ name, server, count: 0, cpu: 0 }));
      for (const { server } of totals) await sendFor(WARM_UP_SECONDS, server.url, request);
      for (let turn = 0; turn < seconds; turn++) {
        for (const total of totals) {
          rejectStopped(signal);
          const before = cpuSeconds(total.server.pid);
          total.count += await sendFor(1, total.server.url, request);
          total.cpu += cpuSeconds(total.server.pid) - before;
        }
      }
      for (const { name, server, count, cpu } of totals) {
        const ratio = count / (totals.at(-1)?.count ?? 0);
        const measured = { requestsPerSecond: count / seconds, ratio, cpuMs: (cpu * 1000) / count };
        rows.push({ route, server: name, ...measured, megabytes: residentMegabytes(server.pid) });
      }
    }
    return rows;
  } finally {
    for (const { kill } of servers.values()) await kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function createRoutes(origin: string): Promise<Record<string, Route>> {
  const posts = '/rest/core/v2/posts';
  const [post] = (await (await fetch(`${origin}${posts}?per_page=1`)).json()) as { id: number }[];
  const authorization = `Basic ${Buffer.from(`editor:${PASSWORD}`).toString('base64')}`;
  const headers = { authorization, 'content-type': 'application/json' };
  return {
    'list of posts': { method: 'GET', path: `${posts}?per_page=10` },
    'list, signed in': { method: 'GET', path: `${posts}?per_page=10`, headers },
    post: { method: 'GET', path: `${posts}/${post?.id}` },
    index: { method: 'GET', path: '/rest/' },
    'new post': { method: 'POST', path: posts, headers, body: '{"title":"New","content":"<p>New</p>"}' },
  };
}

/** Sends requests over all connections, and returns their number. @throws Error for a failed request */
async function sendFor(seconds: number, url: string, route: Route): Promise<number> {
  const pool = new Pool(url, { connections: CONNECTIONS });
  const end = performance.now() + seconds * 1000;
  let count = 0;
  const send = async () => {
    while (performance.now() < end) {
      const { statusCode, body } = await pool.request(route);
      await body.dump();
      if (statusCode >= 400) throw new Error(`${route.path}: HTTP ${statusCode}`);
      count++;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, send));
  await pool.close();
  return count;
}
