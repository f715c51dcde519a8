import { MAX_PARAMETERS, type UploadedFile, createScratchFile } from './rest-request.ts';
import { RestError, createCommonError } from './rest-error.ts';
import { createBodyTooLargeError, describeBytes, MAX_BODY_BYTES, createTooManyFieldsError } from './bounded-body.ts';

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
  try {
    if (await readParts(body, `\r\n--${boundary}`, form, maxFileBytes)) return form;
  } catch (error) {
    await closeFiles(form.files);
    // Aborted requests and read errors.
    if (error instanceof RestError) throw error;
    return undefined;
  }
  await closeFiles(form.files);
  return undefined;
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
    const afterDelimiter = await readText(reader, '\r\n');
    if (afterDelimiter.text.startsWith('--')) return true;
    const header = await readText(reader, '\r\n\r\n');
    if (!header.isWhole) return false;
    const { name, fileName } = readDisposition(header.text);
    if (name === undefined) {
      if (!(await reader.readTo(delimiter, skip))) return false;
    } else if (fileName === undefined) {
      const pieces: Buffer[] = [];
      const isWhole = await reader.readTo(delimiter, (chunk) => {
        remainingBytes -= chunk.length;
        if (remainingBytes < 0) throw createBodyTooLargeError(MAX_BODY_BYTES);
        pieces.push(Buffer.from(chunk));
      });
      if (!isWhole) return false;
      if (fields.length === MAX_PARAMETERS) throw createTooManyFieldsError(MAX_PARAMETERS);
      fields.push([name, Buffer.concat(pieces).toString('utf8')]);
    } else if (maxFileBytes === 0 || files.size === MAX_FILES) {
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

async function readText(reader: DelimitedReader, mark: string): Promise<{ text: string; isWhole: boolean }> {
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
