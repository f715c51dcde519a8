import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { comparePages, summarize, type BuilderName, type Scenario } from './build.ts';
import { cpuSeconds, measureNode } from './measure.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'sortiment-bench-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const sample = (scenario: Scenario, builder: BuilderName, seconds: number, peakMegabytes?: number) => ({
  scenario,
  builder,
  seconds,
  peakMegabytes,
});

const builder = (name: BuilderName, body: string) => {
  const page = path.join(folder, name, 'dist/p');
  mkdirSync(page, { recursive: true });
  writeFileSync(path.join(page, 'index.html'), `<head><title>${name}</title></head><body>${body}</body>`);
  return { name, folder: path.join(folder, name) };
};
const SORTIMENT_PAGE = '<h1>Tape</h1><p>one two three four</p>';

const run = (script: string, signal = new AbortController().signal) =>
  measureNode(['-e', script], { cwd: folder, env: process.env, signal });
const HOLD = 'const held = Buffer.alloc(150 * 2 ** 20, 1); setTimeout(() => held, 1500);';

describe('summarize', () => {
  it('returns medians and ratios per scenario', () => {
    const rows = summarize([
      ...[9, 2, 4].map((seconds) => sample('cold', 'sortiment', seconds, seconds * 100)),
      ...[30, 34].map((seconds) => sample('cold', 'astro', seconds, 900)),
      sample('one', 'sortiment', 0.5),
    ]);
    expect(rows).toEqual([
      { scenario: 'cold', builder: 'sortiment', seconds: 4, ratio: 1, peakMegabytes: 400 },
      { scenario: 'cold', builder: 'astro', seconds: 32, ratio: 8, peakMegabytes: 900 },
      { scenario: 'one', builder: 'sortiment', seconds: 0.5, ratio: 1, peakMegabytes: Number.NaN },
    ]);
  });
});

describe('comparePages', () => {
  it('accepts another order and other markup', () => {
    const pages = [builder('sortiment', SORTIMENT_PAGE), builder('eleventy', '<i>four three</i> two, Tape')];
    expect(() => comparePages(pages, ['p'])).not.toThrow();
  });

  it('rejects pages that lack content, and missing pages', () => {
    const pages = [builder('sortiment', SORTIMENT_PAGE), builder('eleventy', '<i>four three</i>')];
    expect(() => comparePages(pages, ['p'])).toThrow('p by eleventy lacks 3 of 5 words: Tape one two');
    expect(() => comparePages(pages, ['other'])).toThrow('other is missing.');
  });
});

describe('measureNode', () => {
  it('includes the memory of child processes', async () => {
    const fork = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(HOLD)}]);`;
    const { seconds, peakMegabytes } = await run(HOLD + fork);
    expect(seconds).toBeGreaterThan(1.5);
    if (!existsSync('/proc/self/stat')) return;
    expect(peakMegabytes).toBeGreaterThan(320);
    expect(cpuSeconds(process.pid)).toBeGreaterThan(0);
  });

  it('rejects if the program fails or is aborted', async () => {
    await expect(run(`console.error('no room'); process.exit(3)`)).rejects.toThrow(/ended with 3:\nno room/);
    await expect(run('setInterval(() => 0, 1000)', AbortSignal.timeout(200))).rejects.toMatchObject({
      code: 'STOPPED',
    });
  });
});
