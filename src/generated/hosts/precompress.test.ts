import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { precompress } from './precompress.ts';

const dist = mkdtempSync(path.join(tmpdir(), 'sortiment-compressed-'));
const put = (file: string, text: string): void => {
  mkdirSync(path.dirname(path.join(dist, file)), { recursive: true });
  writeFileSync(path.join(dist, file), text);
};
const at = (file: string): string => path.join(dist, file);
const long = (word: string): string => `<p>${word}</p>`.repeat(500);

it('compresses texts that are worth it, again when they change, and removes what has no source any more', async () => {
  put('de-de/index.html', long('eins'));
  put('de-de/p/a/index.html', long('a'));
  put('small.txt', 'small');
  put('picture.avif', long('binary'));
  expect(await precompress(dist)).toBe(2);
  expect(brotliDecompressSync(readFileSync(at('de-de/index.html.br'))).toString()).toBe(long('eins'));
  expect(gunzipSync(readFileSync(at('de-de/index.html.gz'))).toString()).toBe(long('eins'));
  expect(existsSync(at('small.txt.gz')) || existsSync(at('picture.avif.gz'))).toBe(false);
  expect(await precompress(dist)).toBe(0);

  put('de-de/index.html', long('zwei'));
  rmSync(at('de-de/p/a/index.html'));
  expect(await precompress(dist)).toBe(1);
  expect(gunzipSync(readFileSync(at('de-de/index.html.gz'))).toString()).toBe(long('zwei'));
  expect(statSync(at('de-de/index.html.br')).mtimeMs).toBeCloseTo(statSync(at('de-de/index.html')).mtimeMs, -1);
  expect(existsSync(at('de-de/p/a/index.html.br'))).toBe(false);
});
