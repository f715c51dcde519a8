import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAX_COMMENT_BYTES } from '#contracts/core/comment-routes.ts';
import type { Role } from '#contracts/core/user-routes.ts';
import { MAX_CONTENT_LENGTH, MAX_LINE_LENGTH, MAX_NAME_LENGTH, MAX_TEXT_LENGTH } from '#contracts/core/field.ts';
import { cpuMs, lowestMeasurement, longestTurnMs } from '#files/testing/measure-cpu.ts';
import { OPEN_TIMEOUT_MS, openTestSite, testPassword, type TestSite } from '#origin/testing/open-test-site.ts';
import { openStore } from '#origin/platform/store/open-store.ts';

/** CPU that a request may wait for another; most take about a quarter of it, the test's own client included. */
const MOST_CPU_MS = 100;
/** A large request may take more, as its text has to be read: so many times what it takes to write and read its JSON. */
const MOST_READINGS = 5;

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

function credentials(as: Role): string {
  return `Basic ${Buffer.from(`${as}:${testPassword(as)}`).toString('base64')}`;
}

async function write(path: string, as: Role, fields: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const { status } = await site.fetch(`/core/v2/${path}`, {
    method: 'POST',
    as,
    headers,
    body: JSON.stringify(fields),
  });
  expect(status).toBeLessThan(300);
}

async function upload(name: string, type: string, body: string | Uint8Array<ArrayBuffer>): Promise<number> {
  const answer = await fetch(`${site.context.publicUrl}/${site.context.restRoot}/core/v2/media?_fields=id`, {
    method: 'POST',
    headers: {
      authorization: credentials('author'),
      'content-type': type,
      'content-disposition': `attachment; filename="${name}"`,
    },
    body,
  });
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { id: number }).id;
}

type Send = (path: string, as: Role, fields: object) => Promise<void>;
type Write = [path: string, as: Role, fields: (first: string) => object];

/** Expects that no write blocks the thread for too long. Each attempt sends other texts, as some must be unique. */
async function expectShortTurns(
  send: Send,
  writes: readonly Write[],
  name: string,
  mostMs = MOST_CPU_MS,
): Promise<void> {
  for (const [path, as, fields] of writes) {
    const turn = (attempt: number) => longestTurnMs(send(path, as, fields('xyz'.charAt(attempt))));
    // Measured at the same time, as the speed of a machine changes.
    const reading = cpuMs(() => void JSON.parse(JSON.stringify(fields('x'))));
    const most = Math.max(mostMs, MOST_READINGS * reading);
    expect(await lowestMeasurement(turn, most), `${path} of ${name}`).toBeLessThan(most);
  }
}

const fill = (part: string, length: number, first = 'x') =>
  `${first}${part.repeat(Math.floor((length - 1) / part.length))}`;

test.each(['<b>x</b>', '<b>', '<', '&', '"a" -- b '])(
  'the longest fields of nothing but %j keep nobody waiting',
  async (part) => {
    const text = (first: string) => fill(part, MAX_TEXT_LENGTH, first);
    const line = (first: string) => fill(part, MAX_LINE_LENGTH, first);
    const name = (first: string) => fill(part, MAX_NAME_LENGTH, first);
    const footnotes = JSON.stringify(Array.from({ length: 300 }, () => ({ id: 'a', content: part })));
    const mediaItem = await upload(`${name('x').replaceAll(/[^ab]/g, 'c').slice(0, 900)}.txt`, 'text/plain', 'x');
    const writes: Write[] = [
      ['posts', 'contributor', (x) => ({ title: line(x), slug: name(x), excerpt: text(x) })],
      ['posts', 'contributor', (x) => ({ title: line(x), meta: { footnotes } })],
      [
        `media/${mediaItem}`,
        'author',
        (x) => ({ title: line(x), alt_text: line(x), caption: text(x), description: text(x) }),
      ],
      ['categories', 'editor', (x) => ({ name: `${x}${part}`, description: text(x) })],
      ['tags', 'editor', (x) => ({ name: name(x), slug: name(x) })],
      ['users/me', 'author', (x) => ({ name: fill(part, 250, x), description: fill(part, 65_000, x) })],
    ];
    await expectShortTurns(write, writes, part);
  },
);

/** A client in a separate thread, so that its work on 30 MB isn't measured. */
const CLIENT = `
  const { parentPort } = require('node:worker_threads');
  parentPort.on('message', async ({ url, init }) => {
    const answer = await fetch(url, init);
    await answer.arrayBuffer();
    parentPort.postMessage(answer.status);
  });`;

test(
  'the longest posts, pages and comments keep nobody waiting, as a person runs the origin',
  { timeout: 180_000 },
  async () => {
    const store = await openStore({ dataFolder: await mkdtemp(join(tmpdir(), 'sortiment-longest-')) });
    const real = await openTestSite({ store });
    const client = new Worker(CLIENT, { eval: true });
    const post = async (path: string, as: Role, fields: object) => {
      const headers = { 'content-type': 'application/json', authorization: credentials(as) };
      const url = `${real.context.publicUrl}/${real.context.restRoot}/core/v2/${path}`;
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      client.postMessage({ url, init: { method: 'POST', headers, body: JSON.stringify(fields) } });
      const [status] = (await once(client, 'message')) as [number];
      expect(status).toBe(201);
    };
    try {
      const id = await real.addContent({});
      for (const part of process.env['SORTIMENT_SOAK'] ? ['a', '<', '&', 'ä'] : ['a', '&']) {
        const content = (first: string) => fill(part, MAX_CONTENT_LENGTH, first);
        // Escaping multiplies the length.
        const comment = (first: string) => fill(part, Math.floor(MAX_COMMENT_BYTES / (part === 'a' ? 1 : 8)), first);
        const writes: Write[] = [
          ['posts', 'contributor', (x) => ({ title: x, content: content(x) })],
          ['pages', 'editor', (x) => ({ title: x, content: content(x) })],
          ['comments', 'subscriber', (x) => ({ post: id, content: comment(x) })],
        ];
        // The embedded store writes ten megabytes in this thread.
        await expectShortTurns(post, writes, part, 1000);
      }
    } finally {
      await client.terminate();
      await real.close();
    }
  },
);

test(
  'pictures of 90 megapixels are worked on aside, and others are answered meanwhile',
  { timeout: 180_000 },
  async () => {
    const create = { width: 9500, height: 9400, channels: 3, background: '#369' } as const;
    const picture = new Uint8Array(await sharp({ create }).png({ compressionLevel: 1 }).toBuffer());
    const progress = { isDone: false };
    const begun = performance.now();
    const uploads = Promise.all([1, 2].map((n) => upload(`large-${n}.png`, 'image/png', picture))).finally(() => {
      progress.isDone = true;
    });
    const waits: number[] = [];
    const asks = async () => {
      while (!progress.isDone) {
        const asked = performance.now();
        await site.fetch('/core/v2/categories');
        waits.push(performance.now() - asked);
        await setTimeout(20);
      }
    };
    await Promise.all([uploads, asks()]);
    // A worker makes the images, so other requests continue.
    expect(Math.max(...waits)).toBeLessThan((performance.now() - begun) / 4);
  },
);
