import { randomUUID } from 'node:crypto';
import { readdir, utimes } from 'node:fs/promises';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '#origin/platform/store/testing/temporary-folder.ts';
import { startTestPostgres } from '#origin/platform/store/testing/start-test-postgres.ts';
import { CHECK_READS_TIMEOUT_MS, checkReads } from '#origin/testing/check-reads.ts';
import { spawnOrigin, type SpawnedOrigin } from './fixtures/spawn-origin.ts';

const SOAK = Number(process.env['SORTIMENT_SOAK'] ?? 1);
const CLIENTS = 50;
const POSTS = 20;
/** Up to this many, not indefinitely. */
const WRITES = 100 * SOAK;
const LONGEST_MS = 5000 * SOAK;

const PASSWORD = '0123456789abcdef01234567';
const headers = {
  authorization: `Basic ${Buffer.from(`editor:${PASSWORD}`).toString('base64')}`,
  'content-type': 'application/json',
};
const folder = temporaryFolder();
const dataFolder = join(folder, 'origin');
const bootstrap = join(folder, 'bootstrap.json');
const editor = { login: 'editor', email: 'e@test.example', name: 'E', role: 'editor', applicationPassword: PASSWORD };
writeFileSync(bootstrap, JSON.stringify({ site: { name: 'Test', description: '', timezone: 'UTC' }, users: [editor] }));

const postgres = await startTestPostgres();

/** Processes that share files and a database. */
const origins: SpawnedOrigin[] = [];
let databaseUrl = '';
let database: Client;
const start = async () => {
  const origin = await spawnOrigin(dataFolder, { BOOTSTRAP: bootstrap, DATABASE_URL: databaseUrl });
  origins.push(origin);
  return origin;
};

interface Row {
  id: number;
  slug: string;
  code?: string;
  content: { raw: string };
  source_url: string;
  media_details: { sizes: Record<string, { source_url: string }> };
}

async function send(origin: SpawnedOrigin, method: string, path: string, fields?: object) {
  const answer = await fetch(`${origin.url}/rest/core/v2/${path}`, {
    method,
    headers,
    ...(fields ? { body: JSON.stringify(fields) } : {}),
  });
  return { status: answer.status, body: (await answer.json()) as Row };
}

/** Returns the n-th of evenly spread, reproducible numbers from 0 to 1. */
const spread = (n: number): number => (n * 0.618_034) % 1;
const pick = <T>(list: readonly T[], n: number): T => list[Math.floor(spread(n) * list.length)] as T;

describe.skipIf(!postgres)('several processes of an origin over one database', () => {
  beforeAll(async () => {
    databaseUrl = (await postgres?.createDatabase('processes')) ?? '';
    await Promise.all([start(), start()]);
    database = new Client({ connectionString: databaseUrl });
    await database.connect();
  }, 120_000);
  afterAll(async () => {
    await Promise.all(origins.map((origin) => origin.kill()));
    await database.end();
    await postgres?.stop();
  });

  test(
    'lose no acknowledged edit, whoever edits, trashes and restores the same posts',
    { timeout: 60_000 + 10 * LONGEST_MS },
    async () => {
      const ids: number[] = [];
      for (let n = 0; n < POSTS; n += 1) {
        const { body } = await send(pick(origins, n), 'POST', 'posts', {
          title: 'Same',
          content: 'first',
          status: 'publish',
        });
        ids.push(body.id);
      }
      const acknowledged = new Map<number, string[]>(ids.map((id) => [id, []]));
      const statuses = new Map<number, number>();
      const started = Date.now();
      let writes = 0;
      const work = async () => {
        while (writes < WRITES && Date.now() - started < LONGEST_MS) {
          writes += 1;
          const [origin, id, luck] = [pick(origins, writes), pick(ids, writes * 3), spread(writes * 7)];
          const text = randomUUID();
          const { status } =
            luck < 0.2
              ? await send(origin, 'DELETE', `posts/${id}`)
              : luck < 0.4
                ? await send(origin, 'PATCH', `posts/${id}`, { status: 'publish' })
                : await send(origin, 'PATCH', `posts/${id}`, {
                    content: text,
                    ...(luck < 0.5 ? { slug: 'wanted' } : {}),
                  });
          if (luck >= 0.4 && status === 200) acknowledged.get(id)?.push(text);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      };
      await Promise.all(Array.from({ length: CLIENTS }, work));
      const ended = Date.now();
      // 410: it was already in the trash.
      expect([...statuses.keys()].toSorted().filter((status) => status !== 410)).toEqual([200]);

      for (const id of ids) {
        const { body } = await send(pick(origins, id), 'PATCH', `posts/${id}`, { status: 'publish' });
        const answer = await fetch(`${pick(origins, id + 1).url}/rest/core/v2/posts/${id}/revisions?context=edit`, {
          headers,
        });
        const revisions = (await answer.json()) as Row[];
        const kept = new Set([body.content.raw, ...revisions.map(({ content }) => content.raw)]);
        expect((acknowledged.get(id) ?? []).filter((text) => !kept.has(text))).toEqual([]);
      }
      const { rows } = await database.query<{ slug: string }>(`select slug from content where type = 'post'`);
      expect(new Set(rows.map(({ slug }) => slug)).size).toBe(POSTS);
      const edits = [...acknowledged.values()].flat().length;
      const seconds = ((ended - started) / 1000).toFixed(1);
      process.stdout.write(`    ${edits} edits among ${writes} writes in ${seconds} s\n`);
    },
  );

  test(
    'let nobody read what is older than an acknowledged write, or for others',
    { timeout: CHECK_READS_TIMEOUT_MS },
    async () => {
      const { authorization } = headers;
      await checkReads(
        origins.map(({ url }) => `${url}/rest`),
        { writer: authorization, readers: [authorization] },
      );
    },
  );

  test('publish what is due once, also when one of them dies meanwhile', async () => {
    const doomed = origins[1] as SpawnedOrigin;
    const now = Date.now();
    const ids = await Promise.all(
      Array.from({ length: 8 }, async (_, n) => {
        const date_gmt = new Date(now + 1500 + n * 150).toISOString().slice(0, 19);
        return (await send(pick(origins, n), 'POST', 'posts', { title: `Due ${n}`, status: 'publish', date_gmt })).body
          .id;
      }),
    );
    await new Promise((resolve) => setTimeout(resolve, now + 2100 - Date.now()));
    origins.splice(origins.indexOf(doomed), 1);
    await doomed.kill();
    const stillToCome = async () =>
      (await database.query(`select id from content where id = any($1) and status <> 'publish'`, [ids])).rows;
    await expect.poll(stillToCome, { timeout: 30_000, interval: 200 }).toEqual([]);
    const { rows } = await database.query<{ payload: { changes: { id: string; action: string }[] } }>(
      `select payload from outbox where kind = 'origin.changed'`,
    );
    const told = rows.flatMap(({ payload }) => payload.changes).filter(({ action }) => action === 'created');
    expect(
      told
        .map(({ id }) => Number(id))
        .filter((id) => ids.includes(id))
        .toSorted((a, b) => a - b),
    ).toEqual(ids.toSorted((a, b) => a - b));
  }, 120_000);

  test('keep the files of the living, and lose those of the dead', async () => {
    const uploads = join(dataFolder, 'files', 'uploads');
    const listed = async (name: string) =>
      (await readdir(join(uploads, name)).catch(() => [])).map((file) => join(uploads, name, file));
    const pending = () => listed('.pending');
    const picture = await sharp({ create: { width: 640, height: 400, channels: 3, background: '#336699' } })
      .jpeg()
      .toBuffer();
    const acknowledged: Row[] = [];
    const upload = async (origin: SpawnedOrigin) => {
      const answer = await fetch(`${origin.url}/rest/core/v2/media`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'image/jpeg', 'content-disposition': 'attachment; filename=roof.jpg' },
        body: new Uint8Array(picture),
      });
      expect(answer.status).toBe(201);
      acknowledged.push((await answer.json()) as Row);
    };

    const doomed = await start();
    origins.splice(origins.indexOf(doomed), 1);
    const dying = Promise.allSettled(
      [1, 2, 3].map(async () => {
        for (;;) await upload(doomed);
      }),
    );
    await expect
      .poll(async () => acknowledged.length > 0 && (await pending()).length > 0, { interval: 1, timeout: 20_000 })
      .toBe(true);
    await doomed.kill();
    await dying;
    const old = new Date(Date.now() - 20 * 60_000);
    for (const path of [...(await pending()), ...(await listed('.incoming'))]) await utimes(path, old, old);

    // Another process starts and cleans up at the same time.
    const [living] = origins as [SpawnedOrigin];
    const end = Date.now() + 500;
    const goingOn = Promise.all(
      [1, 2, 3].map(async () => {
        while (Date.now() < end) await upload(living);
      }),
    );
    const fresh = await start();
    await goingOn;

    const shown = new Set<string>();
    for (const { source_url, media_details } of acknowledged)
      for (const address of [source_url, ...Object.values(media_details.sizes).map((size) => size.source_url)])
        shown.add(new URL(address).pathname);
    for (const path of shown) expect([path, (await fetch(`${fresh.url}${path}`)).status]).toEqual([path, 200]);
    expect(await pending()).toEqual([]);
    const { rows } = await database.query<{ file: string; media_details: { sizes: Record<string, { file: string }> } }>(
      `select file, media_details from content where type = 'attachment'`,
    );
    const expected = rows.flatMap(({ file, media_details }) => [
      file,
      ...Object.values(media_details.sizes).map((size) => join(file, '..', size.file)),
    ]);
    const entries = await readdir(uploads, { recursive: true, withFileTypes: true });
    const there = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(uploads.length + 1));
    expect(there.toSorted()).toEqual(expected.toSorted());
  }, 120_000);
});
