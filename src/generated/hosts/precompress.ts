import { statSync } from 'node:fs';
import { readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import pLimit from 'p-limit';
import type { Host } from '#config/index.ts';
import { filesIn } from '#files/built-files.ts';

/** Hosts that serve precompressed files. Others compress on their own and would publish these files as pages. */
const WITH_COMPRESSED: ReadonlySet<Host> = new Set(['nginx', 'caddy', 'gitlab']);
const TEXT = /\.(css|csv|html|js|json|md|mjs|ndjson|svg|txt|webmanifest|xml)$/;
const COMPRESSED = /\.(br|gz)$/;
/** Smaller files fit into one packet anyway. */
const MIN_BYTES = 1024;
/** Hashed files are cached for years, which justifies maximum compression. */
const HASHED = /^_astro\//;

export function acceptsPrecompressed(host: Host): boolean {
  return WITH_COMPRESSED.has(host);
}

/** Returns the original of a compressed file. Undefined for other files. */
export function uncompressedFile(file: string): string | undefined {
  return COMPRESSED.test(file) ? file.replace(COMPRESSED, '') : undefined;
}

/**
 * Compresses every text file of the site as `.br` and `.gz`, several at once. Files with an unchanged timestamp are
 * skipped, and those without an original are removed.
 * @returns Number of compressed files.
 */
export async function precompress(distFolder: string): Promise<number> {
  const files = new Set(filesIn(distFolder));
  const limit = pLimit(availableParallelism());
  const stale = [...files].filter((file) => TEXT.test(file) && isStale(distFolder, file));
  await Promise.all(stale.map((file) => limit(() => compress(path.join(distFolder, file), HASHED.test(file)))));
  for (const file of files) {
    const source = uncompressedFile(file);
    if (source !== undefined && TEXT.test(source) && !files.has(source)) await rm(path.join(distFolder, file));
  }
  return stale.length;
}

function isStale(distFolder: string, file: string): boolean {
  const source = statSync(path.join(distFolder, file));
  if (source.size < MIN_BYTES) return false;
  return ['br', 'gz'].some((ending) => {
    const compressed = statSync(path.join(distFolder, `${file}.${ending}`), { throwIfNoEntry: false });
    return compressed === undefined || Math.abs(compressed.mtimeMs - source.mtimeMs) > 1;
  });
}

async function compress(file: string, isHashed: boolean): Promise<void> {
  const [bytes, { atime, mtime }] = [await readFile(file), statSync(file)];
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: isHashed ? constants.BROTLI_MAX_QUALITY : 9,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  const results = {
    br: await promisify(brotliCompress)(bytes, { params }),
    gz: await promisify(gzip)(bytes, { level: 9 }),
  };
  for (const [ending, content] of Object.entries(results)) {
    const target = `${file}.${ending}`;
    await writeFile(`${target}.part`, content);
    await utimes(`${target}.part`, atime, mtime);
    await rename(`${target}.part`, target);
  }
}
