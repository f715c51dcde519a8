import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { AUTHORIZATION, BOOTSTRAP, create, fillOrigin, get, overConnections, startOrigin } from './bench-origin.ts';
import type { Shot } from './connection.ts';
import { peakMegabytes, treeMegabytes } from './read-proc.ts';

export interface MemoryBenchRow {
  after: string;
  /** What the process has in memory then, and had at most until then; undefined where there is no `/proc`. */
  megabytes: number | undefined;
  peak: number | undefined;
  /** What it is meant to stay below, where that is set. */
  limit: number | undefined;
}

export interface MemoryBenchOptions {
  requests: number;
  uploads: number;
  /** Of reads and writes at the end. */
  minutes: number;
}

const REPETITIONS = 10;
/** Between the last answer and the measurement, and before the first one. */
const REST_MS = 5000;
/** Different ones, so that nothing is known already. */
const PICTURES = 10;

/**
 * What an origin of its own process holds on PGlite, one state after the other: at rest, after requests of all kinds,
 * after uploads, and in ten parts of so many minutes of reads, writes and uploads.
 */
export async function* benchMemory({ requests, uploads, minutes }: MemoryBenchOptions): AsyncGenerator<MemoryBenchRow> {
  const folder = mkdtempSync(path.join(tmpdir(), 'sortiment-bench-memory-'));
  const bootstrap = path.join(folder, 'bootstrap.json');
  writeFileSync(bootstrap, JSON.stringify(BOOTSTRAP));
  const origin = await startOrigin({
    dataFolder: path.join(folder, 'origin'),
    env: { DATABASE_URL: '', BOOTSTRAP: bootstrap },
  });
  const measure = async (after: string, limit?: number): Promise<MemoryBenchRow> => {
    await sleep(REST_MS);
    const pid = origin.pid ?? 0;
    return { after, megabytes: treeMegabytes(pid), peak: peakMegabytes(pid), limit };
  };
  try {
    yield await measure('start, at rest', 300);
    const firstId = await fillOrigin(origin.url);
    const mixed = (n: number) => mixedRequest(firstId, n);
    await shoot(origin.url, mixed, (n) => n < requests);
    yield await measure(`${requests.toLocaleString('en')} mixed requests`, 450);
    const pictures = await Promise.all(Array.from({ length: PICTURES }, (_, i) => drawPicture(i)));
    const upload = (n: number) => uploadOf(pictures[n % PICTURES] ?? Buffer.alloc(0), n);
    await shoot(origin.url, upload, (n) => n < uploads);
    yield await measure(`${uploads} uploads`, 450);
    for (let part = 1; part <= REPETITIONS; part += 1) {
      const endAt = performance.now() + (minutes * 60_000) / REPETITIONS;
      const both = (n: number) => (n % 500 === 499 ? upload(n) : mixed(n));
      await shoot(origin.url, both, () => performance.now() < endAt);
      yield await measure(`part ${part} of ${minutes} min of reads and writes`, part === REPETITIONS ? 500 : undefined);
    }
  } finally {
    await origin.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Over all connections, for as long as there is something to ask. */
async function shoot(url: string, shot: (n: number) => Shot, goesOn: (n: number) => boolean): Promise<void> {
  let next = 0;
  await overConnections(url, async (connection) => {
    for (let n = next++; goesOn(n); n = next++) await connection.fire(shot(n));
  });
}

/** One in twenty writes; the others read, each address for itself or always the same one. */
function mixedRequest(firstId: number, n: number): Shot {
  const posts = '/rest/core/v2/posts';
  switch (n % 20) {
    case 0:
      return create(n);
    case 1:
    case 2:
      return get('/rest/');
    case 3:
    case 4:
      return get(`${posts}?per_page=20&_embed=1&page=${1 + (n % 9)}`);
    case 5:
      return get(`${posts}?search=${encodeURIComponent(`Beitrag ${n % 200}`)}`);
    case 6:
      return get(`/rest/core/v2/media?per_page=10&offset=${n % 50}`);
    case 7:
      return get('/rest/core/v2/types');
    default:
      return n % 2 === 0 ? get(`${posts}/${firstId + (n % 200)}`) : get(`${posts}?per_page=10&offset=${n % 150}`);
  }
}

function uploadOf(body: Buffer, n: number): Shot {
  const headers = {
    authorization: AUTHORIZATION,
    'content-type': 'image/jpeg',
    'content-disposition': `attachment; filename="bild-${n}.jpg"`,
  };
  return { method: 'POST', path: '/rest/core/v2/media', body, headers, status: 201 };
}

/** As a phone takes it after it was made smaller: 3 megapixels. */
async function drawPicture(i: number): Promise<Buffer> {
  const [width, height] = [2048, 1536];
  const spots = Array.from({ length: 40 }, (_, k) => {
    const [x, y, hue] = [(k * 397 + i * 131) % width, (k * 211 + i * 71) % height, (k * 47 + i * 36) % 360];
    return `<circle cx="${x}" cy="${y}" r="${60 + ((k * 29) % 240)}" fill="hsl(${hue} 60% 50%)"/>`;
  });
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${spots.join('')}</svg>`;
  return sharp(Buffer.from(drawing)).flatten({ background: '#ddd' }).jpeg({ quality: 88 }).toBuffer();
}
