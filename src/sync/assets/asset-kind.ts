import { fileTypeFromBuffer } from 'file-type';
import type { StoredAsset } from '#snapshot/index.ts';

/**
 * A kind of file that records refer to, declared once: how it is requested, checked and measured. To add one, write its
 * declaration and name it in `kinds/index.ts`.
 */
export interface AssetKind {
  /** Its name in the snapshot and in references. */
  kind: string;
  /** What the file must be, as messages say it: `a PDF`. */
  what: string;
  /** Media types for the `Accept` header. */
  accept: string;
  /** Larger files are refused. @default `sync.maxMediaBytes` */
  maxBytes?: number;
  /** Where the site only links documents: whether its server is asked about it, or it is left alone. @default fetched */
  whenLinked?(address: string): 'asked about' | 'left alone' | 'fetched';
  /** Checks by its bytes that the file is of this kind, whatever its server says. */
  check(bytes: Uint8Array, address: string): Promise<CheckedAsset>;
}

export type CheckedAsset =
  | ({ ok: true; mimeType: string; extension: string } & Pick<StoredAsset, 'width' | 'height' | 'details'>)
  | { ok: false; problem: string };

/** By its first bytes. @param mimeTypes Those that it may be of. */
export async function checkType(bytes: Uint8Array, what: string, mimeTypes: readonly string[]): Promise<CheckedAsset> {
  const type = await fileTypeFromBuffer(bytes);
  const mimeType: string | undefined = type?.mime;
  if (type && mimeType && mimeTypes.includes(mimeType)) return { ok: true, mimeType, extension: type.ext };
  return { ok: false, problem: `is not ${what}, but ${describeOther(bytes, mimeType)}` };
}

/** Describes what a file really is. */
export function describeOther(bytes: Uint8Array, mimeType: string | undefined): string {
  if (bytes.length === 0) return 'empty';
  const start = Buffer.from(bytes.subarray(0, 512)).toString('latin1').trimStart().toLowerCase();
  if (/^(<\?xml[^]*)?<svg\b/.test(start)) return 'SVG, which is never taken over';
  if (/^<(!doctype html|html)\b/.test(start)) return 'HTML';
  return mimeType ?? 'of an unknown type';
}
