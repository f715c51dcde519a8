import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createTooManyFieldsError,
  MAX_PARAMETERS,
  parseFields,
  parseQuery,
  dropUnstorable,
  type HttpSource,
  type RawParameters,
  type RestRequest,
  type ScratchFile,
  type UploadedFile,
} from './rest-request.ts';
import { createCommonError, RestError } from './rest-error.ts';

/** Maximum size of JSON and form bodies. */
export const MAX_BODY_BYTES = 10 * 1024 * 1024;
/** Maximum for anonymous callers, who send parameters only. */
export const MAX_ANONYMOUS_BYTES = 64 * 1024;
/** Maximum for users before authorization: the longest comment as JSON. */
export const MAX_UNPERMITTED_BYTES = 512 * 1024;

/** More than any valid request has: 25 batch requests with all writable fields. */
const MAX_VALUES = 100_000;

/** Limit of other servers of this interface. */
const MAX_DEPTH = 512;

const [QUOTE, COMMA, SQUARE, SQUARE_END, CURLY, CURLY_END, BACKSLASH] = [34, 44, 91, 93, 123, 125, 92];

type RequestBody = Pick<RestRequest, 'json' | 'form' | 'files' | 'malformed'>;

/**
 * Parses the parameters in a body: JSON or a form. Bodies of other types are ignored.
 *
 * For upload routes only multipart forms are parsed; any other body is the file itself.
 *
 * @param maxUploadBytes maximum size of a file in a multipart form; 0 to ignore files
 * @param maxBytes maximum size of everything else
 * @throws RestError 413 if a limit is exceeded
 */
export async function readBody(
  source: HttpSource,
  maxUploadBytes = 0,
  maxBytes = MAX_BODY_BYTES,
): Promise<RequestBody> {
  const { headers } = source.request;
  const type = (headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === 'multipart/form-data') {
    const tooLarge = maxUploadBytes > 0 ? () => createFileTooLargeError(maxUploadBytes) : undefined;
    const body = boundedBody(source, maxUploadBytes + maxBytes, tooLarge);
    const form = await readForm(body, headers.get('content-type') ?? '', maxUploadBytes);
    return form ? { form: parseFields(form.fields), files: form.files } : {};
  }
  if (maxUploadBytes > 0) return {};
  if (/^application\/([\w.+-]+\+)?json$/.test(type)) return parseJson(await readText(source, maxBytes));
  if (type === 'application/x-www-form-urlencoded') return { form: parseQuery(await readText(source, maxBytes)) };
  return {};
}

/** Parses JSON parameters. @throws RestError 413 for more values than any valid request has */
export function parseJson(text: string): Pick<RequestBody, 'json' | 'malformed'> {
  if (text === '') return {};
  const complexity = checkComplexity(text);
  if (complexity === 'too many') throw createBodyTooLargeError(MAX_BODY_BYTES);
  try {
    if (complexity === 'too deep') throw new SyntaxError('Too deep.');
    let parsed: unknown = JSON.parse(text);
    // JSON can contain what the store can't represent as an escape sequence only.
    if (/\\u(?:0000|d[89a-f])/i.test(text)) parsed = dropUnstorable(parsed);
    const isMap = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
    return isMap ? { json: parsed as RawParameters } : {};
  } catch {
    const details = { json_error_code: 4, json_error_message: 'Syntax error' };
    return { malformed: createCommonError('rest_invalid_json', 'The body is not valid JSON.', { details }) };
  }
}

export async function readText(source: HttpSource, maxBytes = MAX_BODY_BYTES): Promise<string> {
  const { headers, method } = source.request;
  // With a declared length, reading without a stream takes a tenth of the time.
  const hasLength = headers.has('content-length') && getContentLength(source.request) <= maxBytes;
  if (hasLength && method !== 'GET' && method !== 'HEAD')
    return Buffer.from(await source.request.arrayBuffer()).toString('utf8');
  // One growing buffer, as chunks may be single bytes and cost a hundred each as objects.
  const body = new ArrayBuffer(0, { maxByteLength: maxBytes });
  for await (const chunk of boundedBody(source, maxBytes)) {
    const bytes = body.byteLength;
    body.resize(bytes + chunk.byteLength);
    new Uint8Array(body, bytes).set(chunk);
  }
  return Buffer.from(body).toString('utf8');
}

/** Counts values and nesting depth before parsing, as parsing allocates memory for each value. */
function checkComplexity(json: string): 'fits' | 'too many' | 'too deep' {
  let values = 0;
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    switch (json.charCodeAt(at)) {
      case QUOTE:
        at = findClosingQuote(json, at);
        break;
      case COMMA:
        values++;
        break;
      case SQUARE:
      case CURLY:
        values++;
        depth++;
        break;
      case SQUARE_END:
      case CURLY_END:
        depth--;
    }
    if (values > MAX_VALUES) return 'too many';
    if (depth > MAX_DEPTH) return 'too deep';
  }
  return 'fits';
}

/** Returns the position of the next unescaped quote. */
function findClosingQuote(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return json.length;
}

/**
 * Streams a body with a size limit.
 *
 * Throws immediately if the declared length is too large, else when the limit is exceeded. The rest is left to
 * `drainRequest`, so that the error response arrives.
 */
export async function* boundedBody(
  { request, incoming }: HttpSource,
  maxBytes: number,
  tooLarge: (maxBytes: number) => RestError = createBodyTooLargeError,
): AsyncGenerator<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
  let bytes = 0;
  // Web requests have no body for GET and HEAD, but HTTP requests may; it is read from the socket.
  const isBodiless = request.method === 'GET' || request.method === 'HEAD';
  const chunks = isBodiless
    ? incoming?.iterator({ destroyOnReturn: false })
    : request.body?.values({ preventCancel: true });
  for await (const chunk of chunks ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
}

/** Returns the declared length of the body. Infinite for chunked transfer. */
export function getContentLength({ headers }: Request): number {
  return headers.has('transfer-encoding') ? Infinity : Number(headers.get('content-length') ?? 0);
}

function createBodyTooLargeError(maxBytes: number): RestError {
  return createCommonError(
    'rest_body_too_large',
    `The body is larger than ${describeBytes(maxBytes)}. Send less data per request.`,
  );
}

/** Formats a size as `64 MB`, or in bytes below one megabyte. */
function describeBytes(bytes: number): string {
  return bytes < 1024 * 1024 ? `${bytes} bytes` : `${Math.floor(bytes / 1024 / 1024)} MB`;
}

/** Creates an unlinked temporary file, which disappears when it is closed or the process ends. */
export async function createScratchFile(): Promise<ScratchFile> {
  const path = join(tmpdir(), `sortiment-upload-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await rm(path, { force: true });
  let bytes = 0;
  return {
    get bytes() {
      return bytes;
    },
    async write(chunk) {
      await file.write(chunk, 0, chunk.byteLength, bytes);
      bytes += chunk.byteLength;
    },
    async read() {
      const all = Buffer.allocUnsafe(bytes);
      for (let at = 0; at < bytes;) {
        const { bytesRead } = await file.read(all, at, bytes - at, at);
        if (bytesRead === 0) throw new Error('The scratch file is shorter than the data written to it.');
        at += bytesRead;
      }
      return all;
    },
    close: () => file.close(),
  };
}

export interface Form {
  fields: [name: string, value: string][];
  files: Map<string, UploadedFile>;
}

/** Further files are ignored, as by other servers. */
const MAX_FILES = 20;
const MAX_PART_HEADER_BYTES = 16 * 1024;

/**
 * Parses a multipart form (RFC 7578).
 *
 * Libraries such as busboy report errors by events that may crash the process, and drop parts whose boundary line
 * ends in spaces, which RFC 2046 (5.1.1) allows. Here all errors occur in one awaited loop.
 *
 * Fields are buffered in memory, files in scratch files that the caller closes.
 *
 * @param maxFileBytes maximum size of a file; 0 to ignore files
 * @returns undefined if the body is malformed or incomplete
 * @throws RestError 413 if a file or the fields are too large
 */
export async function readForm(
  body: AsyncIterable<Uint8Array>,
  contentType: string,
  maxFileBytes: number,
): Promise<Form | undefined> {
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType) ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined) return undefined;
  const form: Form = { fields: [], files: new Map() };
  let isComplete = false;
  try {
    isComplete = await readParts(body, `\r\n--${boundary}`, form, maxFileBytes);
  } catch (error) {
    // Other errors are aborted requests and read errors.
    if (error instanceof RestError) throw error;
  } finally {
    if (!isComplete) await closeFiles(form.files);
  }
  return isComplete ? form : undefined;
}

export async function closeFiles(files: ReadonlyMap<string, UploadedFile>): Promise<void> {
  await Promise.all([...files.values()].map((file) => file.close()));
}

/** @returns true if the form is complete */
async function readParts(
  body: AsyncIterable<Uint8Array>,
  delimiter: string,
  { fields, files }: Form,
  maxFileBytes: number,
): Promise<boolean> {
  const reader = new DelimitedReader(body, '\r\n');
  let remainingBytes = MAX_BODY_BYTES;
  if (!(await reader.readTo(delimiter, skip))) return false;
  for (;;) {
    const afterDelimiter = await readHeader(reader, '\r\n');
    if (afterDelimiter.text.startsWith('--')) return true;
    const header = await readHeader(reader, '\r\n\r\n');
    if (!header.isWhole) return false;
    const { name, fileName } = readDisposition(header.text);
    if (name !== undefined && fileName === undefined) {
      const pieces: Buffer[] = [];
      const isWhole = await reader.readTo(delimiter, (chunk) => {
        remainingBytes -= chunk.length;
        if (remainingBytes < 0) throw createBodyTooLargeError(MAX_BODY_BYTES);
        pieces.push(Buffer.from(chunk));
      });
      if (!isWhole) return false;
      if (fields.length === MAX_PARAMETERS) throw createTooManyFieldsError();
      fields.push([name, Buffer.concat(pieces).toString('utf8')]);
    } else if (name === undefined || fileName === undefined || maxFileBytes === 0 || files.size === MAX_FILES) {
      if (!(await reader.readTo(delimiter, skip))) return false;
    } else {
      const file = Object.assign(await createScratchFile(), { name: fileName });
      await files.get(name)?.close();
      files.set(name, file);
      const isWhole = await reader.readTo(delimiter, async (chunk) => {
        if (file.bytes + chunk.length > maxFileBytes) throw createFileTooLargeError(maxFileBytes);
        await file.write(chunk);
      });
      if (!isWhole) return false;
    }
  }
}

const skip = () => undefined;

async function readHeader(reader: DelimitedReader, mark: string): Promise<{ text: string; isWhole: boolean }> {
  let text = '';
  const isWhole = await reader.readTo(mark, (chunk) => {
    text += chunk.toString('latin1');
    if (text.length > MAX_PART_HEADER_BYTES) throw new Error('The header of a part is too long.');
  });
  return { text: Buffer.from(text, 'latin1').toString('utf8'), isWhole };
}

/** Names are UTF-8. Browsers percent-encode quotes and line breaks in them, other clients escape them. */
function readDisposition(header: string): { name: string | undefined; fileName: string | undefined } {
  const line = /^content-disposition:\s*form-data\s*(;.*)$/im.exec(header)?.[1] ?? '';
  const read = (parameter: string) => {
    const pattern = new RegExp(`;\\s*${parameter}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\\s]*))`, 'i');
    const [, quoted, bare] = pattern.exec(line) ?? [];
    return (quoted?.replaceAll(/\\(["\\])/g, '$1') ?? bare)?.replaceAll(/%(0a|0d|22)/gi, (code) =>
      decodeURIComponent(code),
    );
  };
  return { name: read('name'), fileName: read('filename') };
}

export function createFileTooLargeError(maxBytes: number): RestError {
  return createCommonError(
    'rest_upload_file_too_big',
    `The file is larger than ${describeBytes(maxBytes)}. Upload a smaller file.`,
  );
}

/** Reads a stream up to a sequence of delimiters. Buffers no more than one chunk. */
class DelimitedReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Buffer;

  /** @param first bytes before the stream */
  constructor(chunks: AsyncIterable<Uint8Array>, first: string) {
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.#rest = Buffer.from(first, 'latin1');
  }

  /** Passes on the bytes before a mark and skips the mark. @returns false if the stream ended first */
  async readTo(mark: string, onChunk: (piece: Buffer) => void | Promise<void>): Promise<boolean> {
    for (;;) {
      const at = this.#rest.indexOf(mark, 0, 'latin1');
      if (at >= 0) {
        await this.#emit(at, onChunk);
        this.#rest = this.#rest.subarray(mark.length);
        return true;
      }
      // The mark may begin at the end of the buffer.
      await this.#emit(this.#rest.length - mark.length + 1, onChunk);
      const { done, value } = await this.#chunks.next();
      if (done) {
        await this.#emit(this.#rest.length, onChunk);
        return false;
      }
      this.#rest = Buffer.concat([this.#rest, value]);
    }
  }

  async #emit(bytes: number, onChunk: (piece: Buffer) => void | Promise<void>): Promise<void> {
    if (bytes <= 0) return;
    await onChunk(this.#rest.subarray(0, bytes));
    this.#rest = this.#rest.subarray(bytes);
  }
}
