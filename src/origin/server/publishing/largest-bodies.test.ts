import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStore } from '#origin/platform/store/open-store.ts';
import { temporaryFolder } from '#origin/platform/store/testing/temporary-folder.ts';
import { OPEN_TIMEOUT_MS, testPassword } from '#origin/testing/open-test-site.ts';
import { collectGarbage } from '#files/worker-thread.ts';
import { createPublishingRoutes } from './publishing-interface.ts';
import { openFilledSite, type FilledSite } from './testing/filled-site.ts';

const MB = 1024 * 1024;
/** CPU time of one request that another has to wait for, in ms, on a machine that takes REFERENCE_MS for the reference. */
const MOST_CPU_MS = 250;
const REFERENCE_MS = 80;
/** Copies of a body in memory, and the memory a request needs besides. */
const MOST_COPIES = 10;
const MOST_BESIDES = 20 * MB;
/** Memory for the pixels of an image, independent of its file size. */
const MOST_UNPACKED = 100 * MB;
const BODY_BYTES = 10 * MB;
const UPLOAD_BYTES = 20 * MB;
const TRIES = 8;

/** A client in a worker thread, so that its work is not measured. */
const CLIENT = `
  const { parentPort } = require('node:worker_threads');
  parentPort.on('message', async ({ url, init }) => {
    const answer = await fetch(url, init);
    await answer.arrayBuffer();
    parentPort.postMessage(answer.status);
  });`;

let site: FilledSite;
let client: Worker;
beforeAll(async () => {
  site = await openFilledSite({ store: await openStore({ dataFolder: temporaryFolder() }) });
  client = new Worker(CLIENT, { eval: true });
  // Warms up the code that all requests run.
  for (let n = 0; n < 3; n += 1) await measure('POST', '/core/v2/posts', { type: 'application/json', body: '{"a":1}' });
}, OPEN_TIMEOUT_MS);
afterAll(async () => {
  await client.terminate();
  await site.close();
});

interface Sent {
  type: string;
  body: string | Uint8Array<ArrayBuffer>;
  headers?: Record<string, string>;
}

interface Cost {
  status: number;
  turnMs: number;
  grownBytes: number;
}

/** How much slower than usual this thread runs now, at least 1: other tests share the cores and their caches. */
function measureSlowdown(): number {
  const encoded = '%20'.repeat(1_000_000) + ' '.repeat(4_000_000);
  const start = process.threadCpuUsage();
  decodeURIComponent(encoded);
  const { user, system } = process.threadCpuUsage(start);
  return Math.max(1, (user + system) / 1000 / REFERENCE_MS);
}

function heldBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/**
 * Sends a request and measures how long others wait for it and how much this thread's memory grows. Garbage beyond a
 * limit is collected first, because its amount depends on the load of the machine.
 */
async function measure(
  method: string,
  path: string,
  { type, body, headers }: Sent,
  mostBytes = Infinity,
): Promise<Cost> {
  const authorization = `Basic ${Buffer.from(`administrator:${testPassword('administrator')}`).toString('base64')}`;
  const init = { method, headers: { authorization, 'content-type': type, ...headers }, body };
  const url = `${site.context.publicUrl}/${site.context.restRoot}${path}`;
  const before = heldBytes();
  const progress: { status?: number } = {};
  let [most, turnMs, turns] = [before, 0, 0];
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  client.postMessage({ url, init });
  const answered = once(client, 'message').then(([status]) => Object.assign(progress, { status }));
  for (let cpu = process.threadCpuUsage(); progress.status === undefined; cpu = process.threadCpuUsage()) {
    await new Promise((resolve) => void setImmediate(resolve));
    const { user, system } = process.threadCpuUsage(cpu);
    turnMs = Math.max(turnMs, (user + system) / 1000);
    turns += 1;
    if (turns % 50 !== 0 && user + system <= 5000) continue;
    if (heldBytes() - before > mostBytes) collectGarbage();
    most = Math.max(most, heldBytes());
  }
  const { status } = (await answered) as { status: number };
  return { status, turnMs, grownBytes: most - before };
}

/**
 * Measures several attempts of a request and returns the violated limits. Compilation and garbage collection affect
 * single attempts.
 */
async function findExcess(
  name: string,
  { method, path, besides = MOST_BESIDES }: { method: string; path: string; besides?: number },
  sent: Sent,
): Promise<string[]> {
  const bytes = typeof sent.body === 'string' ? Buffer.byteLength(sent.body) : sent.body.length;
  const mostBytes = MOST_COPIES * bytes + besides;
  let found = '';
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const { status, turnMs, grownBytes } = await measure(method, path, sent, mostBytes);
    const isFailed = status >= 500 && status !== 501;
    const isSlow = turnMs > MOST_CPU_MS && turnMs > MOST_CPU_MS * measureSlowdown();
    const isLarge = grownBytes > mostBytes;
    if (!isFailed && !isSlow && !isLarge) return [];
    found = `${method} ${path} (${name}): ${status}, ${Math.round(turnMs)} ms, ${Math.round(grownBytes / MB)} MB`;
    collectGarbage();
  }
  return [found];
}

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const fill = (part: string, bytes = BODY_BYTES - 1000) => part.repeat(Math.floor(bytes / part.length));

/** Bodies that are expensive to parse on any route. */
const SHAPES: Readonly<Record<string, () => Sent>> = {
  'names without values': () => ({ type: FORM_TYPE, body: fill('a&') }),
  'short fields': () => ({ type: FORM_TYPE, body: fill('k1=1&') }),
  'a field of blanks': () => ({ type: FORM_TYPE, body: `a=${fill('+')}` }),
  'a field of escapes': () => ({ type: FORM_TYPE, body: `a=${fill('%C3%A4')}` }),
  'a long name': () => ({ type: FORM_TYPE, body: fill('a') }),
  'a name of brackets': () => ({ type: FORM_TYPE, body: fill('[a]') }),
  'many parts': () => ({
    type: 'multipart/form-data; boundary=x',
    body: `${fill('--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n')}--x--\r\n`,
  }),
  'a long part': () => ({
    type: 'multipart/form-data; boundary=x',
    body: `--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n${fill('\r\n-')}\r\n--x--\r\n`,
  }),
  'deep JSON': () => ({ type: JSON_TYPE, body: `{"a":${fill('[')}` }),
  'JSON of lists': () => ({ type: JSON_TYPE, body: `{"a":[${fill('[],')}[]]}` }),
  'JSON of numbers': () => ({ type: JSON_TYPE, body: `{"a":[${fill('1,')}1]}` }),
  'JSON of quotes': () => ({ type: JSON_TYPE, body: `{"a":"${fill('\\"')}"}` }),
  'JSON of zeros': () => ({ type: JSON_TYPE, body: `{"a":"${fill('\\u0000')}"}` }),
  'JSON with a long name': () => ({ type: JSON_TYPE, body: `{"${fill('a')}":1}` }),
  'JSON with an end missing': () => ({ type: JSON_TYPE, body: `{"a":"${fill('\\\\')}` }),
  'a list of fields': () => ({ type: JSON_TYPE, body: `{"_fields":"${fill('a,')}"}` }),
  'a path of fields': () => ({ type: JSON_TYPE, body: `{"_fields":"${fill('a.')}"}` }),
};

/** Texts for the fields of a route, up to the size limit of a body. */
const FILLERS = ['x', ',', '<b>', ' ', '[', '&', 'ä', '1,', '-', 'a@', '/', '\\n'];

interface Route {
  method: string;
  path: string;
  fields: readonly string[];
}

/** Routes with a body, with rows of this site in their addresses. */
function routesWithBodies(): Route[] {
  return createPublishingRoutes(site.context).paths.flatMap(({ path, routes }) =>
    routes
      .filter(({ declaration }) => declaration.method !== 'GET' && declaration.maxUploadBytes === undefined)
      .map(({ declaration }) => ({
        method: declaration.method,
        path: site.fill(path),
        fields: Object.keys(declaration.body?.shape ?? {}),
      })),
  );
}

const isThorough = process.env['SORTIMENT_SOAK'] !== undefined;

/** All routes in a soak test; otherwise the next one, in turn. */
function choose<T>(all: readonly T[], turn: number): readonly T[] {
  return isThorough ? all : all.slice(turn % all.length, (turn % all.length) + 1);
}

test('no route keeps others waiting while a body is parsed', { timeout: 1_800_000 }, async () => {
  const found: string[] = [];
  const shapes = Object.entries(SHAPES);
  for (const [n, route] of routesWithBodies().entries())
    // One route gets all shapes, because they are parsed the same way everywhere.
    for (const [name, shape] of n === 1 ? shapes : choose(shapes, n))
      found.push(...(await findExcess(name, route, shape())));
  expect(found).toEqual([]);
});

test('no route keeps others waiting while its fields are checked', { timeout: 3_600_000 }, async () => {
  const found: string[] = [];
  const find = async (name: string, route: Route, fields: readonly string[], value: (bytes: number) => string) => {
    const written = fields.map((field) => `"${field}":${value((BODY_BYTES - 4000) / fields.length)}`);
    found.push(...(await findExcess(name, route, { type: JSON_TYPE, body: `{${written.join(',')}}` })));
  };
  for (const [n, route] of routesWithBodies().entries()) {
    const { fields } = route;
    if (fields.length === 0) continue;
    for (const filler of choose(FILLERS, n)) {
      const text = (bytes: number) => `"${fill(filler, bytes / 2)}"`;
      await find(`fields of ${filler}`, route, fields, text);
      for (const field of isThorough ? fields : []) await find(`${field} of ${filler}`, route, [field], text);
    }
    // As many numbers as fit into a body.
    await find('fields of lists', route, fields, () => `[${fill('1,', 180_000 / fields.length)}1]`);
    if (isThorough) await find('fields of maps', route, fields, (bytes) => `{"raw":"${fill('x', bytes)}"}`);
  }
  expect(found).toEqual([]);
});

const text = (value: string) => Buffer.from(value, 'latin1');
const u32 = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
const synchsafe = (value: number) => Buffer.from([21, 14, 7, 0].map((shift) => (value >> shift) & 127));
const tagged = (body: Buffer) => Buffer.concat([text('ID3\x04\0\0'), synchsafe(body.length), body]);
const filled = (unit: Buffer | string) => Buffer.alloc(UPLOAD_BYTES - 100_000, unit as string);
const emptyChunk = Buffer.concat([u32(0), text('tEXt'), u32(crc32(text('tEXt')))]);
const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#369' } });
const behind = async (format: 'jpeg' | 'gif', rest: Buffer) =>
  Buffer.concat([await picture(8, 8).toFormat(format).toBuffer(), rest]);

const FILES: Readonly<Record<string, [name: string, () => Buffer | Promise<Buffer>]>> = {
  'frames of tags': ['a.mp3', () => tagged(filled(Buffer.concat([text('TXXX'), synchsafe(1), text('\0\0a')])))],
  'a title of zeros': [
    'a.mp3',
    () => tagged(Buffer.concat([text('TIT2'), synchsafe(UPLOAD_BYTES - 200_000), text('\0\0\x01'), filled('\0')])),
  ],
  'what looks like frames': ['a.mp3', () => filled(Buffer.from([0xff, 0xfb, 0x90, 0]))],
  'boxes of a film': [
    'a.mp4',
    () => Buffer.concat([u32(16), text('ftypisom'), u32(0), u32(0), filled(Buffer.concat([u32(8), text('trak')]))]),
  ],
  'chunks of a picture': [
    'a.png',
    async () => {
      const png = await picture(8, 8).png().toBuffer();
      return Buffer.concat([png.subarray(0, 33), filled(emptyChunk), png.subarray(33)]);
    },
  ],
  'what looks like EXIF': ['a.jpg', () => behind('jpeg', filled('II*\0'))],
  'what looks like XMP': ['a.jpg', () => behind('jpeg', filled('<rdf:RDF>a</rdf:RDF>'))],
  'places in XMP': [
    'a.gif',
    () => behind('gif', Buffer.concat([text('<rdf:RDF>'), filled(':Location'), text('</rdf:RDF>')])),
  ],
  'a wide picture': ['a.png', () => picture(65_000, 1500).png({ compressionLevel: 1 }).toBuffer()],
  'a tall picture': ['a.jpg', () => picture(1500, 65_000).jpeg().toBuffer()],
  'a long text': ['a.txt', () => filled('<')],
  'an archive': ['a.zip', () => filled(Buffer.concat([text('PK\x03\x04'), Buffer.alloc(26), text('a')]))],
  'a document': ['a.pdf', () => Buffer.concat([text('%PDF-1.7\n'), filled('<<')])],
  'an icon': ['a.ico', () => Buffer.concat([Buffer.from([0, 0, 1, 0, 1, 0]), filled('MM\0*')])],
};

test('no upload keeps others waiting', { timeout: 600_000 }, async () => {
  const found: string[] = [];
  const route = { method: 'POST', path: '/core/v2/media', besides: MOST_UNPACKED };
  for (const [what, [name, make]] of Object.entries(FILES)) {
    const headers = { 'content-disposition': `attachment; filename="${name}"` };
    const sent = { type: 'application/octet-stream', body: new Uint8Array(await make()) };
    found.push(...(await findExcess(what, route, { ...sent, headers })));
    const digested = { ...headers, 'content-md5': '0' };
    if (isThorough) found.push(...(await findExcess(`${what}, digested`, route, { ...sent, headers: digested })));
  }
  expect(found).toEqual([]);
});

test('memory of large bodies is released', { timeout: 120_000 }, async () => {
  collectGarbage();
  const before = heldBytes();
  for (const shape of Object.values(SHAPES)) await measure('POST', '/core/v2/posts', shape());
  collectGarbage();
  collectGarbage();
  expect((heldBytes() - before) / MB).toBeLessThan(20);
});
