import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { defineConfig, resolveSettings } from '#config/index.ts';
import { buildInChild, createWarmBuilder } from './build-in-child.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'sortiment-build-'));
  await mkdir(path.join(root, 'scripts'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const options = defineConfig({
  site: { name: 'Test' },
  maker: { name: 'Test', address: ['Test'], email: 'test@test.example' },
  mainLanguage: 'de-de',
});

async function build(script: string, signal = new AbortController().signal) {
  await writeFile(path.join(root, 'scripts/build.ts'), script);
  return buildInChild(resolveSettings(root, options, {}), signal);
}

it('says why it takes a process of its own, when the one that goes on fails', async () => {
  const built = { digest: 'ab', pages: 3, durationMs: 12 };
  await writeFile(path.join(root, 'scripts/build.ts'), `console.log('${JSON.stringify(built)}')`);
  const said: string[] = [];
  const say = (message: string): void => void said.push(message);
  const buildWarm = createWarmBuilder({ info: say, warn: say });
  const outcome = await buildWarm(resolveSettings(root, options, {}), new AbortController().signal);
  expect(outcome).toEqual({ ok: true, ...built });
  expect(said).toEqual([expect.stringMatching(/separate process.*snapshot/)]);
});

it('reads what the build says at its end', async () => {
  const built = { digest: 'ab', pages: 3, durationMs: 12 };
  expect(await build(`console.log('so far'); console.log('${JSON.stringify(built)}')`)).toEqual({ ok: true, ...built });
});

it('hands on why it failed', async () => {
  const words = `console.log('{"error":{"code":"BUILD_FAILED","message":"a.astro:3"}}'); process.exitCode = 1`;
  expect(await build(words)).toEqual({ ok: false, message: 'a.astro:3' });
});

it('has words for a build that just breaks', async () => {
  expect(await build(`process.stderr.write('out of memory'); process.exit(134)`)).toEqual({
    ok: false,
    message: 'The build ended with 134. out of memory',
  });
});

it('ends it with the watch', async () => {
  const stop = new AbortController();
  const place = path.join(root, 'pid');
  const ended = build(
    `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(place)}, String(process.pid)); setInterval(() => {}, 1000)`,
    stop.signal,
  );
  await vi.waitFor(() => expect(existsSync(place) && readFileSync(place, 'utf8')).toMatch(/^\d+$/), 20_000);
  const pid = Number(readFileSync(place, 'utf8'));
  stop.abort();
  expect(await ended).toMatchObject({ ok: false });
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});
