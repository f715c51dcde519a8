import type { Options } from '#config/index.ts';
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
  maxBytes?: number | ((options: Options) => number);
  /**
   * Whether it is fetched; where the site only links files, its server may be asked about it, or it is left alone.
   * @default fetched
   */
  access?(options: Options, address: string): 'asked about' | 'left alone' | 'fetched';
  /** Streamed to the disk, never held in memory; `check` gets the beginning only. */
  isStreamed?: boolean;
  /** Checked again when a record that names it has changed, otherwise after `sync.fullReadHours`. */
  isCheckedWithRecord?: boolean;
  /** Checks by its bytes that the file is of this kind, whatever its server says. */
  check(bytes: Uint8Array, address: string): Promise<CheckedAsset>;
  /** True if a stored file has to be fetched and measured again. */
  isOutgrown?(stored: StoredAsset): boolean;
  /** Describes why pages show less than a good file holds. */
  noteOn?(stored: StoredAsset): string | undefined;
  /** Of streamed kinds: measures the complete file on the disk. */
  measure?(file: string): Promise<StoredAsset['details']>;
}

export type CheckedAsset =
  | ({
      ok: true;
      mimeType: string;
      extension: string;
      /** Problem of a part of the file that is used without it. */
      warning?: string | undefined;
    } & Pick<StoredAsset, 'width' | 'height' | 'details'>)
  | { ok: false; problem: string };

/** What a file is by its first bytes. */
export async function fileTypeOf(bytes: Uint8Array): Promise<{ ext: string; mime: string } | undefined> {
  // Loaded only where it is needed: most runs fetch nothing.
  const { fileTypeFromBuffer } = await import('file-type');
  return fileTypeFromBuffer(bytes);
}

/** By its first bytes. @param mimeTypes Those that it may be of. */
export async function checkType(bytes: Uint8Array, what: string, mimeTypes: readonly string[]): Promise<CheckedAsset> {
  const type = await fileTypeOf(bytes);
  const mimeType = type?.mime;
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
