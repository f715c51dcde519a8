import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { startFakeServer } from '#client/testing/test-server.ts';
import { measureBuffers } from '#files/testing/measure-buffers.ts';
import { addPodcast, createAudio, type TestPodcast, type TestAudio } from '../testing/test-podcast.ts';
import { startTestUpstream, type TestUpstream } from '../testing/test-upstream.ts';

const LENGTH = 400_000;
const LARGE = process.env['SORTIMENT_SOAK'] ? 140_000_000 : 60_000_000;

let upstream: TestUpstream;
let podcast: TestPodcast;
let audio: TestAudio;

beforeEach(async () => {
  upstream = await startTestUpstream({ assortment: () => [], podcast: { maxAudioBytes: 150_000_000 } });
  delete upstream.upstreams.product;
  podcast = addPodcast(upstream);
  podcast.add(1);
  audio = { body: createAudio(LENGTH, 5), etag: '"one"' };
  podcast.audioFiles.set('/audio/1.mp3', audio);
});
afterEach(() => upstream.close());

const asset = () => upstream.read((snapshot) => snapshot.asset(podcast.url('/audio/1.mp3'), 'audio'));
const stored = () => readFileSync(path.join(upstream.settings.assetsFolder, asset()?.file ?? ''));
const partials = () => {
  const folder = path.join(upstream.settings.assetsFolder, 'partial');
  return existsSync(folder) ? readdirSync(folder).map((name) => path.join(folder, name)) : [];
};
const ranges = () =>
  upstream.server.seen.filter(({ url }) => url === '/audio/1.mp3').map(({ headers }) => headers.range ?? 'all');
const problems = ({ warnings }: { warnings: { problem: string }[] }) => warnings.map(({ problem }) => problem);

interface WrongRest {
  etag?: string;
  range?: (from: number) => string;
}

/** Replaces the audio and saves the episode, as an editor does. */
function replace(next: TestAudio, at: string): void {
  podcast.audioFiles.set('/audio/1.mp3', next);
  const [episode] = podcast.episodes;
  if (episode) podcast.touch(episode, at);
}

it('goes on in the next run where a connection was cut, and stores the whole', async () => {
  audio.cutAfter = 300_000;
  expect(problems(await upstream.sync())).toEqual([expect.stringContaining('was cut off')]);
  expect(asset()).toMatchObject({ reachable: false, file: undefined });
  const kept = Math.max(...partials().map((file) => statSync(file).size));
  expect(kept).toBeGreaterThan(0);
  expect(await upstream.sync()).toMatchObject({ warnings: [], assets: { fetched: 1 } });
  expect(ranges()).toEqual(['all', `bytes=${kept}-`]);
  expect(stored()).toEqual(audio.body);
  expect(partials()).toEqual([]);
});

it('goes on in the next run where the one before was stopped', async () => {
  const stop = new AbortController();
  audio.cutAfter = 200_000;
  const size = () => Math.max(0, ...partials().map((file) => statSync(file).size));
  audio.onCut = () => void vi.waitFor(() => expect(size()).toBeGreaterThan(0), 20_000).then(() => stop.abort());
  await expect(upstream.sync({ signal: stop.signal })).rejects.toMatchObject({ code: 'SYNC_STOPPED' });
  const kept = size();
  expect(await upstream.sync()).toMatchObject({ warnings: [], assets: { fetched: 1 } });
  expect(ranges()).toEqual(['all', `bytes=${kept}-`]);
  expect(stored()).toEqual(audio.body);
});

it('goes on at once as often as requests are tried again', async () => {
  upstream.settings.options.sync.retries = 2;
  audio.cutAfter = 200_000;
  expect(await upstream.sync()).toMatchObject({ warnings: [], assets: { fetched: 1 } });
  expect(ranges()).toEqual(['all', expect.stringMatching(/^bytes=\d+-$/)]);
  expect(stored()).toEqual(audio.body);
});

it('begins again when the file is another one by then, and when nobody knows what the begun one was', async () => {
  audio.cutAfter = 200_000;
  await upstream.sync();
  const other = createAudio(LENGTH, 9);
  podcast.audioFiles.set('/audio/1.mp3', { body: other, etag: '"two"', cutAfter: 250_000 });
  await upstream.sync();
  // As if the process had been killed before it was written down whose bytes these are.
  for (const file of partials().filter((name) => name.endsWith('.json'))) rmSync(file);
  expect(await upstream.sync()).toMatchObject({ warnings: [], assets: { fetched: 1 } });
  expect(ranges().at(-1)).toBe('all');
  expect(stored()).toEqual(other);
});

it.each([
  ['is of another file', { etag: '"two"' }],
  ['is not all that is missing', { range: (from: number) => `bytes ${from}-${from + 99}/${LENGTH}` }],
  ['has no end', { range: (from: number) => `bytes ${from}-${LENGTH - 1}/*` }],
  ['begins elsewhere', { range: () => `bytes 0-${LENGTH - 1}/${LENGTH}` }],
])('begins again when the rest that it is sent %s', async (_what, { etag = '"one"', range }: WrongRest) => {
  audio.cutAfter = 200_000;
  await upstream.sync();
  const other = createAudio(LENGTH, 9);
  const send = upstream.fault;
  upstream.fault = (index, request, response) => {
    const [, from] = /^bytes=(\d+)-/.exec(request.headers.range ?? '') ?? [];
    if (from === undefined) return send?.(index, request, response) ?? false;
    const contentRange = range?.(Number(from)) ?? `bytes ${from}-${LENGTH - 1}/${LENGTH}`;
    response.writeHead(206, { 'content-type': 'audio/mpeg', etag, 'content-range': contentRange });
    response.end(other.subarray(Number(from)));
    return true;
  };
  podcast.audioFiles.set('/audio/1.mp3', { body: other, etag });
  upstream.settings.options.sync.retries = 1;
  expect(await upstream.sync()).toMatchObject({ warnings: [], assets: { fetched: 1 } });
  expect(ranges().map((asked) => asked === 'all')).toEqual([true, false, true]);
  expect(stored()).toEqual(other);
});

it('refuses what is no audio, too long or elsewhere, and keeps the last good copy', async () => {
  upstream.settings.options.podcast.maxAudioBytes = 1_000_000;
  await upstream.sync();
  const elsewhere = await startFakeServer((_, response) => response.writeHead(200).end(createAudio(LENGTH)));
  const good = upstream.fault;
  try {
    const cases: [TestAudio | ((answer: ServerResponse) => void), RegExp][] = [
      [
        { body: Buffer.from('<!doctype html><h1>Sign in</h1>'), type: 'audio/mpeg', etag: '"a"' },
        /is not audio, but HTML/,
      ],
      [{ body: Buffer.alloc(0), etag: '"b"' }, /is not audio, but empty/],
      [
        (answer) => answer.writeHead(200, { 'content-length': String(4 * 1024 ** 3) }).write('ID3'),
        /larger than 1000000 bytes/,
      ],
      [(answer) => sendForEver(answer), /larger than 1000000 bytes/],
      [
        (answer) => answer.writeHead(302, { location: `${elsewhere.origin}/internal` }).end(),
        /answered 302 Found to 127\.0\.0\.1:\d+, which is neither an upstream nor in `mediaHosts`/,
      ],
      [(answer) => answer.writeHead(404).end(), /answered 404 Not Found/],
    ];
    for (const [i, [wrong, problem]] of cases.entries()) {
      replace(typeof wrong === 'function' ? audio : wrong, `2026-11-21T08:0${i}:00`);
      upstream.fault = (index, request, response) => {
        if (typeof wrong !== 'function' || request.url !== '/audio/1.mp3')
          return good?.(index, request, response) ?? false;
        wrong(response);
        return true;
      };
      expect(problems(await upstream.sync())).toEqual([expect.stringMatching(problem)]);
      expect(stored()).toEqual(audio.body);
      expect(partials()).toEqual([]);
    }
    expect(elsewhere.seen).toEqual([]);
  } finally {
    await elsewhere.close();
  }
});

it('takes a large file without holding it in memory', async () => {
  podcast.audioFiles.set('/audio/1.mp3', { body: createAudio(LARGE, 1), etag: '"large"' });
  const { answer, grownBytes } = await measureBuffers(() => upstream.sync());
  expect(answer).toMatchObject({ warnings: [], assets: { fetched: 1 } });
  expect(asset()).toMatchObject({ bytes: LARGE });
  expect(grownBytes).toBeLessThan(30_000_000);
});

it('checks audio that is only linked, and keeps no copy of it', async () => {
  upstream.settings.options.podcast.audio = 'link';
  await upstream.sync();
  expect(asset()).toMatchObject({ bytes: LENGTH, mimeType: 'audio/mpeg', file: undefined, reachable: true });
});

function sendForEver(answer: ServerResponse): void {
  answer.writeHead(200, { 'content-type': 'audio/mpeg' });
  const piece = createAudio(100_000);
  const send = () => {
    while (!answer.destroyed && answer.write(piece));
  };
  answer.on('drain', send);
  send();
}
