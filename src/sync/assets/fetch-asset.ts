import { existsSync } from 'node:fs';
import path from 'node:path';
import { describeStatus, downloadFile, readBeginning, type DownloadResult } from '#client/download-file.ts';
import type { Credential } from '#client/credential.ts';
import type { Exchange, TransportRequest, Validators } from '#client/exchange.ts';
import type { Transport } from '#client/create-transport.ts';
import type { FileReference } from '#contracts/synced/index.ts';
import { storeAsset, storeFile, type StoredAsset } from '#snapshot/index.ts';
import type { AssetKind } from './asset-kinds.ts';

export interface AssetRequest extends FileReference {
  /** Identity of the asset: its URL without signature. */
  url: string;
  /** The stored asset, if any. */
  stored: StoredAsset | undefined;
}

export interface FetchAssetOptions {
  kind: AssetKind;
  transport: Transport;
  assetsFolder: string;
  maxBytes: number;
  deadlineMs: number;
  /** Maximum number of times that an interrupted download of a streamed file is resumed. */
  retries: number;
  /** True to send only a HEAD request. */
  headOnly: boolean;
  mayFollow: (url: URL) => boolean;
  credential: Credential | undefined;
  at: Date;
}

export interface FetchedAsset {
  asset: StoredAsset;
  outcome: 'fetched' | 'unchanged' | 'failed';
  /** Problem of a part of the file, which is omitted. */
  warning?: string | undefined;
  /** Size of the response body. */
  bytes: number;
  /** True if the server did not respond at all. */
  silent: boolean;
}

/** Name of the option that allows further hosts, for messages. */
export const HOSTS_OPTION = 'mediaHosts';

type Answered = Extract<Exchange, { outcome: 'answered' }>;

/**
 * Fetches a file, conditionally if a copy is stored. A failure keeps that copy. For a file that was too large, only a
 * HEAD request is sent until its validators change.
 */
export async function fetchAsset(request: AssetRequest, options: FetchAssetOptions): Promise<FetchedAsset> {
  const { address, stored } = request;
  const { transport, kind, headOnly, maxBytes, deadlineMs, mayFollow, credential } = options;
  const base = { url: address, accept: kind.accept, maxBytes, deadlineMs, mayFollow, credential };
  if (stored && isKnownTooLarge(stored, maxBytes) && (await isStillTooLarge(stored, base, transport))) {
    return fail(request, options, stored.problem ?? '');
  }
  const hasFile =
    stored?.file !== undefined &&
    kind.isOutgrown?.(stored) !== true &&
    existsSync(path.join(options.assetsFolder, stored.file));
  if (kind.isStreamed && !headOnly) return download(request, hasFile ? stored : undefined, options);
  const validators = hasFile && !headOnly ? validatorsOf(stored) : undefined;
  const exchange = await transport.send({ ...base, method: headOnly ? 'HEAD' : 'GET', validators });
  if (exchange.outcome === 'failed')
    return fail(request, options, exchange.problem, { ...exchange, silent: exchange.transient });
  if (exchange.status === 304 && hasFile) return confirmUnchanged(stored, options);
  if (exchange.status !== 200) {
    const answered = { mayFollow, address: exchange.url, hostsOption: HOSTS_OPTION };
    return fail(request, options, describeStatus(exchange, answered));
  }
  return headOnly ? readHead(request, options, exchange) : readBytes(request, options, exchange);
}

/** Returns the folder of partial downloads. */
export function partialFolder(assetsFolder: string): string {
  return path.join(assetsFolder, 'partial');
}

/**
 * Streams a file to disk and stores it when complete.
 * @param held The stored copy, if its file exists.
 */
async function download(
  request: AssetRequest,
  storedCopy: StoredAsset | undefined,
  options: FetchAssetOptions,
): Promise<FetchedAsset> {
  const { assetsFolder, kind } = options;
  const downloaded = await downloadFile({
    ...options,
    folder: partialFolder(assetsFolder),
    address: request.address,
    hostsOption: HOSTS_OPTION,
    accept: kind.accept,
    validators: storedCopy && validatorsOf(storedCopy),
    isSame: (headers) => storedCopy !== undefined && isSameFile(storedCopy, headers),
    check: async (beginning) => {
      const checked = await kind.check(beginning, request.address);
      return checked.ok ? undefined : checked.problem;
    },
  });
  if (downloaded.outcome === 'failed') return fail(request, options, downloaded.problem, downloaded);
  if (downloaded.outcome === 'same') {
    return storedCopy
      ? confirmUnchanged(storedCopy, options)
      : fail(request, options, 'returned 304 Not Modified, but no copy is stored');
  }
  const { file: source, bytes, headers } = downloaded;
  const checked = await kind.check(await readBeginning(source), request.address);
  if (!checked.ok) return fail(request, options, checked.problem);
  const details = (await kind.measure?.(source)) ?? checked.details;
  const stored = await storeFile(assetsFolder, source, checked.extension);
  return finish(request, options, { ...stored, ...checked, details, bytes }, headers);
}

/** Creates the asset of a file that was fetched completely. */
function finish(
  request: AssetRequest,
  options: FetchAssetOptions,
  fetched: Pick<StoredAsset, 'digest' | 'file' | 'mimeType' | 'width' | 'height' | 'details'> & {
    bytes: number;
    warning?: string | undefined;
  },
  headers: Readonly<Record<string, string>>,
): FetchedAsset {
  const { digest, file, bytes, mimeType, width, height, details, warning } = fetched;
  const asset: StoredAsset = {
    ...createAsset(request, options),
    digest,
    file,
    bytes,
    mimeType,
    width,
    height,
    details,
    lastModified: toIso(headers['last-modified']),
    etag: headers['etag'],
    fetchedAt: options.at.toISOString(),
  };
  const outcome = digest === request.stored?.digest ? 'unchanged' : 'fetched';
  return { asset, outcome, warning, bytes, silent: false };
}

/** Compares validators. If the server sends none, compares the length. */
function isSameFile(storedCopy: StoredAsset, headers: Readonly<Record<string, string>>): boolean {
  const { etag, 'last-modified': modified, 'content-length': length } = headers;
  if (etag !== undefined && storedCopy.etag !== undefined) return etag === storedCopy.etag;
  if (Number(length) !== storedCopy.bytes) return false;
  return toIso(modified) === storedCopy.lastModified;
}

/** True if an earlier run found the file too large. */
export function isKnownTooLarge(stored: StoredAsset, maxBytes: number): boolean {
  return !stored.reachable && stored.file === undefined && (stored.bytes ?? 0) > maxBytes;
}

/** True if a file that was too large is unchanged. */
async function isStillTooLarge(
  stored: StoredAsset,
  request: TransportRequest & { maxBytes: number },
  transport: Transport,
): Promise<boolean> {
  const head = await transport.send({ ...request, method: 'HEAD', accept: '*/*' });
  // After an error, the file still counts as too large.
  if (head.outcome === 'failed' || head.status !== 200) return true;
  const { etag, 'content-length': length, 'last-modified': modified } = head.headers;
  if (Number(length) > request.maxBytes) return true;
  const isSame = etag === stored.etag && toIso(modified) === stored.lastModified;
  return isSame && (length === undefined || etag !== undefined || modified !== undefined);
}

/** Records the response headers for a document that is only linked. */
function readHead(request: AssetRequest, options: FetchAssetOptions, { headers }: Answered): FetchedAsset {
  const mimeType = headers['content-type']?.split(';')[0]?.trim();
  if (mimeType && /html/i.test(mimeType))
    return fail(request, options, `is HTML, not ${options.kind.what}`, { isRejected: true });
  const asset: StoredAsset = {
    ...createAsset(request, options),
    bytes: /^\d+$/.test(headers['content-length'] ?? '') ? Number(headers['content-length']) : undefined,
    mimeType,
    lastModified: toIso(headers['last-modified']),
    etag: headers['etag'],
  };
  return { asset, outcome: 'unchanged', bytes: 0, silent: false };
}

async function readBytes(request: AssetRequest, options: FetchAssetOptions, answer: Answered): Promise<FetchedAsset> {
  const { body, headers } = answer;
  const checked = await options.kind.check(body, request.address);
  if (!checked.ok) return fail(request, options, checked.problem, { isRejected: true });
  const stored = await storeAsset(options.assetsFolder, body, checked.extension);
  return finish(request, options, { ...stored, ...checked, bytes: body.length }, headers);
}

function confirmUnchanged(stored: StoredAsset, { at }: FetchAssetOptions): FetchedAsset {
  const asset = { ...stored, reachable: true, problem: undefined, unaccepted: undefined, checkedAt: at.toISOString() };
  return { asset: markRejected(asset, false), outcome: 'unchanged', bytes: 0, silent: false };
}

/**
 * Keeps the last good copy and marks it as unreachable. Without a copy, stores the validators of a file that is too
 * large, so that it is not requested again while unchanged.
 * @param isRejected True if the server sent a file of another kind.
 */
function fail(
  request: AssetRequest,
  options: FetchAssetOptions,
  problem: string,
  { silent = false, isRejected = false, tooLarge }: FailureDetails = {},
): FetchedAsset {
  const asset = { ...(request.stored ?? createAsset(request, options)), checkedAt: options.at.toISOString() };
  if (tooLarge && asset.file === undefined) {
    const { etag, 'last-modified': modified } = tooLarge.headers;
    Object.assign(asset, { bytes: tooLarge.bytes, etag, lastModified: toIso(modified) });
  }
  const failed = markRejected({ ...asset, reachable: false, problem }, isRejected);
  return { asset: failed, outcome: 'failed', bytes: 0, silent };
}

interface FailureDetails extends Pick<Extract<DownloadResult, { outcome: 'failed' }>, 'silent' | 'tooLarge'> {
  isRejected?: boolean;
}

function markRejected(asset: StoredAsset, isRejected: boolean): StoredAsset {
  const { rejected: _, ...rest } = asset.details ?? {};
  const details = isRejected ? { ...rest, rejected: 1 } : rest;
  return { ...asset, details: Object.keys(details).length === 0 ? undefined : details };
}

function createAsset({ url, kind }: AssetRequest, { at }: FetchAssetOptions): StoredAsset {
  return { url, kind, reachable: true, checkedAt: at.toISOString() };
}

function toIso(header: string | undefined): string | undefined {
  const time = header === undefined ? Number.NaN : Date.parse(header);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}

/** HTTP dates have whole seconds (RFC 9110, 5.6.7). */
function validatorsOf({ etag, lastModified }: StoredAsset): Validators {
  return { etag, lastModified: lastModified === undefined ? undefined : new Date(lastModified).toUTCString() };
}
