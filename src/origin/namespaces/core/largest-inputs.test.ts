import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAX_COMMENT_BYTES, type Role } from '#contracts/core/index.ts';
import { MAX_CONTENT_LENGTH, MAX_LINE_LENGTH, MAX_NAME_LENGTH, MAX_TEXT_LENGTH } from '#contracts/core/write-body.ts';
import { OPEN_TIMEOUT_MS, openTestSite, testPassword, type TestSite } from '#origin/testing/open-test-site.ts';
import { openStore } from '#origin/platform/store/index.ts';

/** CPU that a request may wait for another. About a quarter of it is taken, the test's own client included. */
const MOST_CPU_MS = 100;

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
}, OPEN_TIMEOUT_MS);
afterAll(() => site.close());

function credentials(as: Role): string {
  return `Basic ${Buffer.from(`${as}:${testPassword(as)}`).toString('base64')}`;
}

/** CPU, not time, that this thread takes at most before others get their turn. */
async function longestTurn(work: Promise<unknown>): Promise<number> {
  const progress = { isDone: false };
  const done = work.finally(() => {
    progress.isDone = true;
  });
  let longest = 0;
  for (let before = process.threadCpuUsage(); !progress.isDone; before = process.threadCpuUsage()) {
    await setImmediate();
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1000);
  }
  await done;
  return longest;
}

async function write(path: string, as: Role, fields: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const { status } = await site.fetch(path, { method: 'POST', as, headers, body: JSON.stringify(fields) });
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

const fill = (part: string, length: number) => `x${part.repeat(Math.floor((length - 1) / part.length))}`;

test.each(['<b>x</b>', '<b>', '<', '&', '"a" -- b '])(
  'the longest fields of nothing but %j keep nobody waiting',
  async (part) => {
    // What is loaded and compiled once is no text's fault.
    await write('/core/v2/posts', 'contributor', { title: 'x', excerpt: part });
    const text = fill(part, MAX_TEXT_LENGTH);
    const line = fill(part, MAX_LINE_LENGTH);
    const name = fill(part, MAX_NAME_LENGTH);
    const footnotes = JSON.stringify(Array.from({ length: 300 }, () => ({ id: 'a', content: part })));
    const mediaItem = await upload(`${name.replaceAll(/[^ab]/g, 'c').slice(0, 900)}.txt`, 'text/plain', 'x');
    const writes: [path: string, as: Role, fields: object][] = [
      ['/core/v2/posts', 'contributor', { title: line, slug: name, excerpt: text }],
      ['/core/v2/posts', 'contributor', { title: line, meta: { footnotes } }],
      [`/core/v2/media/${mediaItem}`, 'author', { title: line, alt_text: line, caption: text, description: text }],
      ['/core/v2/categories', 'editor', { name: `x${part}`, description: text }],
      ['/core/v2/tags', 'editor', { name, slug: name }],
      ['/core/v2/users/me', 'author', { name: fill(part, 250), description: fill(part, 65_000) }],
    ];
    for (const [path, as, fields] of writes) {
      expect(await longestTurn(write(path, as, fields)), path).toBeLessThan(MOST_CPU_MS);
    }
  },
);

/** A client with a thread of its own: what it makes of 30 MB is none of the origin's business. */
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
        const content = fill(part, MAX_CONTENT_LENGTH);
        // What is escaped or closed grows to several times its length.
        const comment = fill(part, Math.floor(MAX_COMMENT_BYTES / (part === 'a' ? 1 : 8)));
        const writes: [path: string, as: Role, fields: object][] = [
          ['posts', 'contributor', { title: 'x', content }],
          ['pages', 'editor', { title: 'x', content }],
          ['comments', 'subscriber', { post: id, content: comment }],
        ];
        for (const [path, as, fields] of writes) {
          expect(await longestTurn(post(path, as, fields)), `${path} of ${part}`).toBeLessThan(MOST_CPU_MS);
        }
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
    const uploads = Promise.all([1, 2].map((n) => upload(`large-${n}.png`, 'image/png', picture))).finally(() => {
      progress.isDone = true;
    });
    const answered = { meanwhile: 0 };
    const asks = async () => {
      while (!progress.isDone) {
        await site.fetch('/core/v2/categories');
        if (!progress.isDone) answered.meanwhile++;
      }
    };
    await Promise.all([uploads, asks()]);
    expect(answered.meanwhile).toBeGreaterThan(20);
  },
);
