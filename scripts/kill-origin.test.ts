import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { temporaryFolder } from '#origin/platform/store/testing/temporary-folder.ts';
import { prepareRegeneration, type Regeneration } from './fixtures/regeneration.ts';
import { spawnOrigin, type SpawnedOrigin } from './fixtures/spawn-origin.ts';

const KILLS = Number(process.env['SORTIMENT_SOAK'] ?? 1);
const WRITERS = 4;
/** Maximum delay between the first acknowledgements and the kill. */
const LONGEST_LOAD_MS = 300;

const PASSWORD = '0123456789abcdef01234567';
/** Enough images that some are pending when the server is killed. */
const PICTURES = 12;
const headers = {
  authorization: `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}`,
  'content-type': 'application/json',
};

const dataFolder = temporaryFolder();
const bootstrap = join(dataFolder, 'bootstrap.json');
writeFileSync(
  bootstrap,
  JSON.stringify({
    site: { name: 'Test', description: '', timezone: 'UTC' },
    users: [
      { login: 'admin', email: 'a@test.example', name: 'Admin', role: 'administrator', applicationPassword: PASSWORD },
    ],
  }),
);

let running: SpawnedOrigin | undefined;
afterAll(() => running?.kill());

async function startOrigin(): Promise<SpawnedOrigin> {
  running = await spawnOrigin(join(dataFolder, 'origin'), { BOOTSTRAP: bootstrap });
  return running;
}

interface Row {
  id: number;
  title: { raw: string };
}

/** Writes until the server is gone; reports each acknowledged post. */
async function write(url: string, acknowledge: (id: number, title: string) => void): Promise<void> {
  for (let n = 0; ; n += 1) {
    const title = `Post ${randomUUID()}`;
    // Every third post is scheduled to appear soon.
    const due = n % 3 === 0 ? { date_gmt: new Date(Date.now() + 300).toISOString().slice(0, 19) } : {};
    try {
      const response = await fetch(`${url}/rest/core/v2/posts`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ title, status: 'publish', ...due }),
      });
      const { id } = (await response.json()) as Row;
      if (response.status !== 201) throw new Error(`${response.status}`);
      acknowledge(id, title);
    } catch (error) {
      if (error instanceof TypeError || error instanceof SyntaxError) return;
      throw error;
    }
  }
}

async function readAll(url: string, states: string): Promise<Map<number, Row>> {
  const rows = new Map<number, Row>();
  for (let page = 1; ; page += 1) {
    const query = `status=${states}&context=edit&per_page=100&orderby=id&order=asc&page=${page}&_fields=id,title`;
    const response = await fetch(`${url}/rest/core/v2/posts?${query}`, { headers });
    if (!response.ok) throw new Error(await response.text());
    for (const row of (await response.json()) as Row[]) rows.set(row.id, row);
    if (page >= Number(response.headers.get('x-wp-totalpages'))) return rows;
  }
}

test(
  'an origin that is killed under load keeps every post it has acknowledged, publishes what is due, and goes on with its pictures',
  { timeout: KILLS * 180_000 },
  async () => {
    const acknowledged = new Map<number, string>();
    let pictures: (Regeneration & { job: number }) | undefined;
    for (let kill = 0; kill <= KILLS; kill += 1) {
      const { url, kill: end } = await startOrigin();
      const rows = await readAll(url, 'publish,future');
      for (const [id, title] of acknowledged) expect(rows.get(id)?.title.raw, `after kill ${kill}`).toBe(title);
      // The start publishes posts that became due in the meantime.
      await expect.poll(async () => [...(await readAll(url, 'future')).values()], { timeout: 20_000 }).toEqual([]);
      if (pictures) {
        const { job, read, files, expected } = pictures;
        await expect.poll(async () => (await read(url, job)).status, { timeout: 60_000 }).toBe('done');
        expect(await read(url, job)).toMatchObject({ done: PICTURES, failed: 0 });
        expect(files()).toEqual(expected);
      }
      const about = { dataFolder: join(dataFolder, 'origin'), authorization: headers.authorization };
      const work = pictures ? undefined : await prepareRegeneration(url, PICTURES, about);
      const writing = Array.from({ length: WRITERS }, () => write(url, (id, title) => acknowledged.set(id, title)));
      const before = acknowledged.size;
      await expect.poll(() => acknowledged.size, { interval: 5, timeout: 20_000 }).toBeGreaterThan(before + WRITERS);
      if (work) {
        const job = await work.begin(url);
        let done = 0;
        const doneOf = async () => (done = (await work.read(url, job)).done);
        await expect.poll(doneOf, { interval: 5, timeout: 20_000 }).toBeGreaterThan(0);
        expect(done).toBeLessThan(PICTURES);
        pictures = { ...work, job };
      }
      await sleep((kill / KILLS) * LONGEST_LOAD_MS);
      await end();
      await Promise.all(writing);
    }
  },
);
