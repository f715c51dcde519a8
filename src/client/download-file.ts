import { createHash } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { mkdir, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { Transport } from './create-transport.ts';
import { type TransportRequest, type BodyExchange, BodyError } from './exchange.ts';

export interface DownloadOptions {
  transport: Transport;
  /** Folder of partial files; the next run resumes them. */
  folder: string;
  address: string;
  accept: string;
  maxBytes: number;
  /** Limit of all attempts together. */
  deadlineMs: number;
  /** Maximum number of resumed connections. */
  retries: number;
  mayFollow: (url: URL) => boolean;
  credential?: TransportRequest['credential'];
  /** Option that allows further hosts, as named in messages: `mediaHosts`. */
  hostsOption: string;
  /** Validators of the stored copy. */
  validators: TransportRequest['validators'];
  /** True if the headers of a response describe the stored copy. */
  isSame: (headers: Headers) => boolean;
  /** Validates the first bytes. @returns the problem, if any */
  check: (beginning: Uint8Array) => Promise<string | undefined>;
}

type Headers = Readonly<Record<string, string>>;

export type DownloadResult =
  /** The file is complete; the caller moves it. */
  | { outcome: 'whole'; file: string; bytes: number; headers: Headers }
  | { outcome: 'same' }
  | { outcome: 'failed'; problem: string; silent?: boolean; tooLarge?: { bytes: number; headers: Headers } };

/** Number of bytes needed to detect the file type. */
const BEGINNING_BYTES = 64 * 1024;

/** Metadata of a partial file. */
const partialHead = z.object({ ifRange: z.string(), headers: z.record(z.string(), z.string()) });
type PartialHead = z.output<typeof partialHead>;

/**
 * Streams a file of any size to the disk. A truncated download is resumed by the next attempt or the next run, as long
 * as the validators match (RFC 9110, 13.1.5).
 */
export async function downloadFile(options: DownloadOptions): Promise<DownloadResult> {
  const partial = partialFile(options.folder, options.address);
  await mkdir(options.folder, { recursive: true });
  const end = Date.now() + options.deadlineMs;
  for (let attempt = 0; ; attempt += 1) {
    const result = await downloadOnce(partial, { ...options, deadlineMs: Math.max(1, end - Date.now()) });
    if (result !== 'cut off') return result;
    if (attempt >= options.retries || Date.now() >= end)
      return { outcome: 'failed', problem: 'was cut off; the next run resumes the download' };
  }
}

/** Deletes partial files, except those of the given addresses. @param addresses Addresses that may still be resumed. */
export async function removePartials(folder: string, addresses: ReadonlySet<string>): Promise<void> {
  const retained = new Set([...addresses].map((address) => partialFile(folder, address).file));
  const names = await readdir(folder).catch(() => []);
  const stale = names
    .map((name) => path.join(folder, name))
    .filter((file) => !retained.has(file.replace(/\.json$/, '')));
  await Promise.all(stale.map((file) => rm(file, { force: true })));
}

interface Partial {
  file: string;
  head: string;
}

function partialFile(folder: string, address: string): Partial {
  const file = path.join(folder, createHash('sha256').update(address).digest('hex').slice(0, 32));
  return { file, head: `${file}.json` };
}

async function downloadOnce(partial: Partial, options: DownloadOptions): Promise<DownloadResult | 'cut off'> {
  const { transport, address, accept, maxBytes, deadlineMs, mayFollow, credential, validators } = options;
  const resumed = await readPartial(partial);
  const answer = await transport.openBody({
    url: address,
    accept,
    deadlineMs,
    mayFollow,
    credential,
    ...(resumed ? { range: { from: resumed.bytes, ifRange: resumed.head.ifRange } } : { validators }),
  });
  if (answer.outcome === 'failed') return { outcome: 'failed', problem: answer.problem, silent: answer.transient };
  const isRest = resumed !== undefined && answer.status === 206 && isRestOf(answer, resumed);
  const isUnavailable = answer.status === 429 || answer.status >= 500;
  if (resumed && !isRest && !isUnavailable) await discard(partial);
  if (answer.status === 304 || (answer.status === 200 && options.isSame(answer.headers))) {
    answer.discard();
    return { outcome: 'same' };
  }
  if (answer.status !== 200 && !isRest) {
    answer.discard();
    // The file has changed, or the server doesn't support ranges.
    if (resumed && !isUnavailable) return 'cut off';
    return { outcome: 'failed', problem: describeStatus(answer, options) };
  }
  const headers = isRest ? resumed.head.headers : answer.headers;
  const encoding = answer.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    answer.discard();
    return { outcome: 'failed', problem: `has the Content-Encoding ${encoding}, which was not requested` };
  }
  const length = totalLength(answer, isRest);
  if (length !== undefined && length > maxBytes) {
    answer.discard();
    await discard(partial);
    return tooLargeResult(maxBytes, length, headers);
  }
  if (!isRest) await writeHead(partial, headers);
  return receive(partial, options, { chunks: answer.chunks, headers, from: isRest ? resumed.bytes : 0, length });
}

async function receive(
  partial: Partial,
  { maxBytes, check }: DownloadOptions,
  {
    chunks,
    headers,
    from,
    length,
  }: Pick<Answered, 'chunks' | 'headers'> & { from: number; length: number | undefined },
): Promise<DownloadResult | 'cut off'> {
  const handle = await open(partial.file, from === 0 ? 'w' : 'a');
  let bytes = from;
  let isChecked = from >= BEGINNING_BYTES;
  try {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > maxBytes) {
        await discard(partial);
        return tooLargeResult(maxBytes, bytes, headers);
      }
      await handle.write(chunk);
      if (isChecked || bytes < BEGINNING_BYTES) continue;
      isChecked = true;
      const problem = await check(await readBeginning(partial.file));
      if (problem !== undefined) return await rejectFile(partial, problem);
    }
  } catch (error) {
    if (error instanceof BodyError) return 'cut off';
    // A stopped sync keeps the partial file, so that the next sync resumes it.
    if (!(error instanceof Error && error.name === 'AbortError')) await discard(partial);
    throw error;
  } finally {
    await handle.close();
  }
  if (length !== undefined && bytes < length) return 'cut off';
  if (length !== undefined && bytes > length)
    return rejectFile(partial, `has ${bytes} bytes, but its server announced ${length}`);
  const problem = await check(await readBeginning(partial.file));
  if (problem !== undefined) return rejectFile(partial, problem);
  await rm(partial.head, { force: true });
  return { outcome: 'whole', file: partial.file, bytes, headers };
}

export async function readBeginning(file: string): Promise<Uint8Array> {
  await using handle = await open(file, 'r');
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(BEGINNING_BYTES), 0, BEGINNING_BYTES, 0);
  return buffer.subarray(0, bytesRead);
}

async function rejectFile(partial: Partial, problem: string): Promise<DownloadResult> {
  await discard(partial);
  return { outcome: 'failed', problem };
}

function tooLargeResult(maxBytes: number, bytes: number, headers: Headers): DownloadResult {
  return { outcome: 'failed', problem: `the body is larger than ${maxBytes} bytes`, tooLarge: { bytes, headers } };
}

async function discard({ file, head }: Partial): Promise<void> {
  await rm(file, { force: true });
  await rm(head, { force: true });
}

/** A weak validator doesn't prove that two ranges belong to the same file. */
function strongValidator({ etag, 'last-modified': lastModified }: Headers): string | undefined {
  return etag !== undefined && !etag.startsWith('W/') ? etag : lastModified;
}

async function writeHead(partial: Partial, headers: Headers): Promise<void> {
  await discard(partial);
  const ifRange = strongValidator(headers);
  if (ifRange === undefined) return;
  await writeFile(partial.head, JSON.stringify({ ifRange, headers } satisfies PartialHead));
}

async function readPartial({ file, head }: Partial): Promise<{ bytes: number; head: PartialHead } | undefined> {
  try {
    const { size } = await stat(file);
    const parsed = partialHead.safeParse(JSON.parse(await readFile(head, 'utf8')));
    return parsed.success && size > 0 ? { bytes: size, head: parsed.data } : undefined;
  } catch {
    return undefined;
  }
}

type Answered = Extract<BodyExchange, { outcome: 'answered' }>;

/** True if a range response is the missing rest of the same file. Some servers ignore `If-Range`. */
function isRestOf({ headers }: Answered, { bytes, head }: { bytes: number; head: PartialHead }): boolean {
  const [, first, last, length] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers['content-range'] ?? '') ?? [];
  if (Number(first) !== bytes || Number(last) + 1 !== Number(length)) return false;
  const isSame = (name: string) => headers[name] === undefined || headers[name] === head.headers[name];
  return isSame('etag') && isSame('last-modified');
}

function totalLength({ headers }: Answered, isRest: boolean): number | undefined {
  const length = isRest ? /\/(\d+)$/.exec(headers['content-range'] ?? '')?.[1] : headers['content-length'];
  return /^\d+$/.test(length ?? '') ? Number(length) : undefined;
}

/** Describes an unsuccessful status. For a rejected redirect, names the target host. */
export function describeStatus(
  { status, headers }: Pick<Answered, 'status' | 'headers'>,
  { mayFollow, address, hostsOption }: Pick<DownloadOptions, 'mayFollow' | 'address' | 'hostsOption'>,
): string {
  const answered = `answered ${status} ${STATUS_CODES[status] ?? ''}`.trim();
  const to = status >= 300 && status < 400 ? URL.parse(headers['location'] ?? '', address) : null;
  if (!to) return answered;
  return mayFollow(to)
    ? `${answered} after too many redirects`
    : `${answered} to ${to.host}, which is neither an upstream nor in \`${hostsOption}\``;
}
