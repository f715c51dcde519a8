import { createHash } from 'node:crypto';
import path from 'node:path';
import type { StagedFile } from '#contracts/import.ts';
import { SortimentError } from '#contracts/index.ts';
import { type Media, MAX_UPLOAD_BYTES } from '#contracts/core/media.ts';
import { displayUrl } from '#client/upstream-error.ts';
import { replaceFile } from '#files/replace-file.ts';
import type { ImportRun } from './import-run.ts';

const DEADLINE_MS = 10 * 60_000;
/** Consecutive server failures after which the server counts as down. */
const MAX_FAILURES = 5;

const failures = new WeakMap<ImportRun, number>();

/**
 * Fetches the uploaded file of a media item into the destination's folder. Prefers the original to a scaled-down copy.
 * Only the site itself and explicitly allowed addresses are contacted.
 *
 * @throws SortimentError UPSTREAM_UNAVAILABLE if several files in a row fail
 */
export async function fetchMediaFile(
  run: ImportRun,
  medium: Media,
): Promise<{ file: StagedFile } | { problem: string }> {
  const address = medium.source_url;
  if (!URL.canParse(address)) return { problem: 'its file address is invalid' };
  const original = medium.media_details['original_image'];
  const urls =
    typeof original === 'string' ? [new URL(encodeURIComponent(original), address).href, address] : [address];
  let problem = 'has no file';
  for (const url of urls) {
    const fetched = await fetchOne(run, url);
    if ('problem' in fetched) problem = fetched.problem;
    else return { file: await stage(run, url, fetched.body) };
  }
  return { problem };
}

async function fetchOne(run: ImportRun, url: string): Promise<{ body: Buffer } | { problem: string }> {
  if (!isAllowed(run, url))
    return { problem: `its file is on another host, allow it with --files-from: ${originOf(url)}` };
  const response = await run.transport.send({
    url,
    accept: '*/*',
    maxBytes: MAX_UPLOAD_BYTES,
    deadlineMs: DEADLINE_MS,
    mayFollow: ({ href }) => isAllowed(run, href),
    credential: run.credentialFor(url),
  });
  if (response.outcome === 'answered' && response.status === 200) {
    failures.set(run, 0);
    return { body: response.body };
  }
  const words = response.outcome === 'answered' ? String(response.status) : response.problem;
  if (response.outcome === 'failed' ? response.transient : response.status >= 500) countFailure(run, url, words);
  return { problem: `its file could not be fetched: ${words}` };
}

function countFailure(run: ImportRun, url: string, words: string): void {
  const count = (failures.get(run) ?? 0) + 1;
  failures.set(run, count);
  if (count < MAX_FAILURES) return;
  throw new SortimentError(
    'UPSTREAM_UNAVAILABLE',
    `[GET] "${displayUrl(url)}": ${words}. The ${count - 1} previous files failed too.`,
    {
      hint: 'Try again later.',
    },
  );
}

function isAllowed({ fileAddresses, filesFrom }: ImportRun, url: string): boolean {
  return [...fileAddresses, ...filesFrom].some((address) => originOf(address) === originOf(url));
}

function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

async function stage({ destination, source }: ImportRun, url: string, body: Buffer): Promise<StagedFile> {
  const staged = createHash('sha256').update(`${source.site} ${url}`).digest('hex').slice(0, 32);
  await replaceFile(path.join(destination.folder, staged), body);
  const name = new URL(url).pathname.split('/').at(-1) ?? '';
  return { staged, name: decode(name) };
}

function decode(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
