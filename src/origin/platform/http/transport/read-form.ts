import { MAX_PARAMETERS, type SentFile } from './rest-request.ts';
import { createScratchFile } from './scratch-file.ts';
import { RestError, refuseCommon } from './rest-error.ts';
import { bodyTooLarge, describeBytes, MAX_BODY_BYTES, tooManyFields } from './bounded-body.ts';

export interface Form {
  fields: [name: string, value: string][];
  files: Map<string, SentFile>;
}

/** More files of a form are left out, as other servers do. */
const MAX_FILES = 20;
const MAX_PART_HEADER_BYTES = 16 * 1024;

/**
 * Reads a multipart form (RFC 7578). The libraries for it (busboy and what came of it) tell of parts by events, some of
 * which end the process when nobody listens just then, and drop parts whose boundary line ends in spaces, as RFC 2046
 * (5.1.1) lets it; here all that can fail does so in one awaited loop.
 *
 * Fields go into memory, files into scratch files, which the caller closes.
 *
 * @param maxFileBytes what a file may measure; 0 leaves files out
 * @returns nothing for what is no form, or ends before its end
 * @throws RestError 413 for a file or fields that are too large
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
    // A client that went away, and what can't be read otherwise.
    if (error instanceof RestError) throw error;
    return undefined;
  }
  await closeFiles(form.files);
  return undefined;
}

export async function closeFiles(files: ReadonlyMap<string, SentFile>): Promise<void> {
  await Promise.all([...files.values()].map((file) => file.close()));
}

/** @returns whether the form came to its end */
async function readParts(
  body: AsyncIterable<Uint8Array>,
  delimiter: string,
  { fields, files }: Form,
  maxFileBytes: number,
): Promise<boolean> {
  const reader = new MarkedReader(body, '\r\n');
  let left = MAX_BODY_BYTES;
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
      const isWhole = await reader.readTo(delimiter, (piece) => {
        left -= piece.length;
        if (left < 0) throw bodyTooLarge(MAX_BODY_BYTES);
        pieces.push(Buffer.from(piece));
      });
      if (!isWhole) return false;
      if (fields.length === MAX_PARAMETERS) throw tooManyFields(MAX_PARAMETERS);
      fields.push([name, Buffer.concat(pieces).toString('utf8')]);
    } else if (maxFileBytes === 0 || files.size === MAX_FILES) {
      if (!(await reader.readTo(delimiter, skip))) return false;
    } else {
      const file = Object.assign(await createScratchFile(), { name: fileName });
      await files.get(name)?.close();
      files.set(name, file);
      const isWhole = await reader.readTo(delimiter, async (piece) => {
        if (file.bytes + piece.length > maxFileBytes) throw fileTooLarge(maxFileBytes);
        await file.write(piece);
      });
      if (!isWhole) return false;
    }
  }
}

const skip = () => undefined;

async function readText(reader: MarkedReader, mark: string): Promise<{ text: string; isWhole: boolean }> {
  let text = '';
  const isWhole = await reader.readTo(mark, (piece) => {
    text += piece.toString('latin1');
    if (text.length > MAX_PART_HEADER_BYTES) throw new Error('The header of a part is too long.');
  });
  return { text: Buffer.from(text, 'latin1').toString('utf8'), isWhole };
}

/** Names travel as UTF-8; quotes and line ends in them are percent-encoded by browsers, escaped by others. */
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

export function fileTooLarge(maxBytes: number): RestError {
  return refuseCommon(
    'rest_upload_file_too_big',
    `The file is larger than ${describeBytes(maxBytes)}, the most that can be uploaded here. Make it smaller and upload it again.`,
  );
}

/** Bytes of a stream, taken up to one mark after the other; never more of them in memory than come at once. */
class MarkedReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Buffer;

  /** @param first what is read before the stream */
  constructor(chunks: AsyncIterable<Uint8Array>, first: string) {
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.#rest = Buffer.from(first, 'latin1');
  }

  /** Hands on what comes before a mark, piece by piece, and skips the mark. @returns whether it came */
  async readTo(mark: string, take: (piece: Buffer) => void | Promise<void>): Promise<boolean> {
    for (;;) {
      const at = this.#rest.indexOf(mark, 0, 'latin1');
      if (at >= 0) {
        await this.#hand(at, take);
        this.#rest = this.#rest.subarray(mark.length);
        return true;
      }
      // The mark may begin at the end of what is there.
      await this.#hand(this.#rest.length - mark.length + 1, take);
      const { done, value } = await this.#chunks.next();
      if (done) {
        await this.#hand(this.#rest.length, take);
        return false;
      }
      this.#rest = Buffer.concat([this.#rest, value]);
    }
  }

  async #hand(bytes: number, take: (piece: Buffer) => void | Promise<void>): Promise<void> {
    if (bytes <= 0) return;
    await take(this.#rest.subarray(0, bytes));
    this.#rest = this.#rest.subarray(bytes);
  }
}
