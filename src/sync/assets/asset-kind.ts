import type { Options, Upstreams } from '#config/index.ts';
import type { StoredAsset } from '#snapshot/index.ts';

/**
 * A kind of file that records refer to: how it is requested, validated and measured. To add a kind, declare it and list
 * it in `kinds/index.ts`.
 */
export interface AssetKind {
  /** Name in the snapshot and in references. */
  kind: string;
  /** Expected file type as used in messages, such as `a PDF`. */
  what: string;
  /** Media types for the `Accept` header. */
  accept: string;
  /**
   * Maximum size of a file.
   * @default `sync.maxMediaBytes`
   */
  maxBytes?: number | ((options: Options) => number);
  /**
   * Decides whether the file is downloaded, only checked at its server, or ignored.
   * @default fetch
   */
  access?(options: Options, address: string): 'check' | 'ignore' | 'fetch';
  /** True if the file is streamed to disk and never held in memory. `check` then gets only its beginning. */
  isStreamed?: boolean;
  /** True if the file is checked whenever a record that refers to it changes, otherwise after `sync.fullReadHours`. */
  isCheckedWithRecord?: boolean;
  /** Validates the file type by its bytes; the server's media type is ignored. */
  check(bytes: Uint8Array, address: string): Promise<CheckedAsset>;
  /** True if a stored file has to be fetched and measured again. */
  isOutgrown?(stored: StoredAsset): boolean;
  /** Describes why pages show only a part of a valid file. */
  noteOn?(stored: StoredAsset): string | undefined;
  /** Measures the complete file on disk. Streamed kinds only. */
  measure?(file: string): Promise<StoredAsset['details']>;
}

export type CheckedAsset =
  | ({
      ok: true;
      mimeType: string;
      extension: string;
      /** Problem of a part of the file, which is omitted. */
      warning?: string | undefined;
    } & Pick<StoredAsset, 'width' | 'height' | 'details'>)
  | { ok: false; problem: string };

/** Detects the file type from the first bytes. */
export async function detectFileType(bytes: Uint8Array): Promise<{ ext: string; mime: string } | undefined> {
  // Load on demand: most runs fetch nothing.
  const { fileTypeFromBuffer } = await import('file-type');
  return fileTypeFromBuffer(bytes);
}

/**
 * Validates the file type by its first bytes.
 * @param mimeTypes Accepted media types.
 */
export async function checkType(bytes: Uint8Array, what: string, mimeTypes: readonly string[]): Promise<CheckedAsset> {
  const type = await detectFileType(bytes);
  const mimeType = type?.mime;
  if (type && mimeType && mimeTypes.includes(mimeType)) return { ok: true, mimeType, extension: type.ext };
  return { ok: false, problem: `is not ${what}, but ${describeFileType(bytes, mimeType)}` };
}

/** Describes the actual type of a file. */
export function describeFileType(bytes: Uint8Array, mimeType: string | undefined): string {
  if (bytes.length === 0) return 'empty';
  const start = Buffer.from(bytes.subarray(0, 512)).toString('latin1').trimStart().toLowerCase();
  if (/^(<\?xml[^]*)?<svg\b/.test(start)) return 'SVG, which is not supported';
  if (/^<(!doctype html|html)\b/.test(start)) return 'HTML';
  return mimeType ?? 'of an unknown type';
}

/**
 * Creates the check for asset addresses: http(s) on an upstream's host and port, or on a configured host. A host
 * without a port allows only the default ports.
 */
export function createHostCheck(upstreams: Upstreams, mediaHosts: readonly string[]): (url: URL) => boolean {
  const upstreamHosts = [upstreams.product?.root, upstreams.publishing?.siteUrl].flatMap((address) =>
    address === undefined ? [] : [new URL(address).host],
  );
  const allowed = new Set([...upstreamHosts, ...mediaHosts.map((host) => host.toLowerCase())]);
  return (url) => /^https?:$/.test(url.protocol) && allowed.has(url.host);
}
