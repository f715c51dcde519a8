import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { maskUserInfo } from '#contracts/index.ts';
import { maskSecrets } from './upstream-error.ts';

const SAMPLE_LENGTH = 200;

/** A body that can't be used, although the exchange succeeded. */
export class BodyError extends Error {
  override readonly name: string = 'BodyError';
  readonly transient: boolean;
  /** Minimum size in bytes, if the body is too large. */
  readonly tooManyBytes: number | undefined;

  constructor(message: string, transient: boolean, tooManyBytes?: number) {
    super(message);
    this.transient = transient;
    this.tooManyBytes = tooManyBytes;
  }
}

/**
 * Reads a body into memory and decompresses it. The size limit applies to the decompressed bytes, because a small
 * compressed body may expand to gigabytes.
 * @throws BodyError if it is too large, truncated, or in an unsupported encoding.
 */
export async function readBody(body: Readable, encoding: string | undefined, maxBytes: number): Promise<Buffer> {
  const source = decompress(body, encoding);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw bodyTooLargeError(maxBytes, size);
      chunks.push(chunk);
    }
  } catch (error) {
    body.destroy();
    throw toBodyError(error);
  }
  return Buffer.concat(chunks);
}

/** @param bytes Minimum size of the body. */
export function bodyTooLargeError(maxBytes: number, bytes: number): BodyError {
  return new BodyError(`the body is larger than ${maxBytes} bytes`, false, bytes);
}

/** @throws BodyError for an unsupported encoding. */
export function decompress(body: Readable, encoding: string | undefined): Readable {
  switch (encoding?.trim().toLowerCase()) {
    case undefined:
    case '':
    case 'identity':
      return body;
    case 'gzip':
    case 'x-gzip':
      return pipe(body, createGunzip());
    case 'br':
      return pipe(body, createBrotliDecompress());
    case 'deflate':
      return pipe(body, createInflate());
    default:
      body.destroy();
      throw new BodyError(`the body has the unknown encoding ${encoding}`, false);
  }
}

function pipe(body: Readable, through: ReturnType<typeof createGunzip>): Readable {
  body.on('error', (error) => through.destroy(error));
  return body.pipe(through);
}

/** Converts errors of a truncated body to a BodyError; returns others unchanged. */
export function toBodyError(error: unknown): unknown {
  return isCutOff(error) ? new BodyError('the body was cut off', true) : error;
}

const CUT_OFF = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'Z_BUF_ERROR', 'Z_DATA_ERROR']);

function isCutOff(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return CUT_OFF.has(String(error.code)) || String(error.code).startsWith('HPE_');
}

/** Returns the start of a body as one line for messages. @param secrets Texts to mask. */
export function excerptBody(body: string, secrets: readonly string[]): string {
  return maskSecrets(maskUserInfo(body), secrets)
    .replace(/\p{C}+|\s+/gu, ' ')
    .trim()
    .slice(0, SAMPLE_LENGTH);
}
