import type { PGlite } from '@electric-sql/pglite';
import { resultTooLarge } from './store-limits.ts';

/**
 * The subset of the Postgres protocol (postgresql.org/docs/current/protocol-message-formats.html) that the embedded
 * store needs.
 *
 * PGlite's own implementation costs more than the queries: it copies and decodes each value separately, takes five
 * round trips per query, and miscounts texts with lone surrogates.
 */

/** A text in Postgres' input format of its type, or binary data. */
export type WireValue = string | Uint8Array | null;

export interface WireField {
  name: string;
  dataTypeID: number;
}

/** Fields of a Postgres error that are used. */
export interface WireError {
  message: string;
  code?: string | undefined;
  detail?: string | undefined;
  hint?: string | undefined;
  table?: string | undefined;
  column?: string | undefined;
  constraint?: string | undefined;
}

export interface WireAnswer {
  /** Undefined without row description. */
  fields: WireField[] | undefined;
  /** Values in Postgres' text format. */
  rows: (string | null)[][];
  /** Command tags such as `INSERT 0 1`, one per statement. */
  tags: string[];
  /** True if a statement was prepared, even if it failed afterwards. */
  isPrepared: boolean;
  error: WireError | undefined;
}

/**
 * Passes messages to PGlite and returns the response in a new buffer. The messages run before the promise is
 * returned, so calls run in order; no other call may be active.
 *
 * @param maxBytes maximum size of the response; more rows are replaced by an error
 */
export async function exchangeBytes(store: PGlite, messages: ArrayBuffer, maxBytes = Infinity): Promise<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  let size = 0;
  // The only PGlite function that neither parses the response nor copies it more than once.
  const onRawData = (bytes: Uint8Array) => {
    if (size <= maxBytes) parts.push(bytes.slice());
    size += bytes.length;
  };
  await store.execProtocolRawStream(new Uint8Array(messages), { syncToFs: false, onRawData });
  const whole = joinBytes(parts);
  return size <= maxBytes ? whole : refuseRows(whole);
}

function joinBytes(parts: readonly Uint8Array[]): ArrayBuffer {
  const [only] = parts;
  if (only && parts.length === 1) return only.buffer as ArrayBuffer;
  const whole = new Uint8Array(parts.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole.buffer;
}

/** Replaces the rows of an incomplete response by an error. */
function refuseRows(answer: ArrayBuffer): ArrayBuffer {
  const bytes = Buffer.from(answer);
  const others: Uint8Array[] = [];
  for (let at = 0; at + 5 <= bytes.length;) {
    const end = at + 1 + bytes.readInt32BE(at + 1);
    if (end <= bytes.length && bytes[at] !== DATA_ROW) others.push(bytes.subarray(at, end));
    at = end;
  }
  const error = new Uint8Array(new WireWriter().error(resultTooLarge).finish());
  return joinBytes([...others, error]);
}

/** Encodes messages into one buffer. */
export class WireWriter {
  #buffer = Buffer.allocUnsafeSlow(1024);
  #start = 0;
  #end = 0;

  /** Statements separated by semicolons, without parameters. */
  script(sql: string): this {
    return this.#message('Q').#text(sql).#closed();
  }

  /** Prepares a statement and requests its row description. An unnamed statement lasts until the next one. */
  prepare(name: string, sql: string): this {
    this.#message('P').#text(name).#text(sql).#int16(0).#closed();
    return this.#message('D').#char('S').#text(name).#closed();
  }

  /** Runs a prepared statement and ends its implicit transaction. */
  run(name: string, values: readonly WireValue[]): this {
    this.#message('B').#text('').#text(name).#int16(values.length);
    for (const value of values) this.#int16(typeof value === 'object' ? 1 : 0);
    this.#int16(values.length);
    for (const value of values) this.#value(value);
    // All results in text format.
    this.#int16(0).#closed();
    return this.#message('E').#text('').#int32(0).#closed().#message('S').#closed();
  }

  forget(name: string): this {
    return this.#message('C').#char('S').#text(name).#closed();
  }

  error({ code = '', message }: WireError): this {
    return this.#message('E').#text(`C${code}`).#text(`M${message}`).#char('\0').#closed();
  }

  /** Returns a new buffer, which can be transferred. */
  finish(): ArrayBuffer {
    return this.#buffer.buffer.slice(0, this.#end);
  }

  #message(code: string): this {
    this.#char(code);
    this.#start = this.#end;
    return this.#int32(0);
  }

  #closed(): this {
    this.#buffer.writeInt32BE(this.#end - this.#start, this.#start);
    return this;
  }

  #value(value: WireValue): void {
    if (value === null) {
      this.#int32(-1);
    } else if (typeof value === 'string') {
      const size = Buffer.byteLength(value);
      this.#int32(size).#reserve(size);
      this.#end += this.#buffer.write(value, this.#end);
    } else {
      this.#int32(value.length).#reserve(value.length);
      this.#buffer.set(value, this.#end);
      this.#end += value.length;
    }
  }

  #text(text: string): this {
    this.#reserve(Buffer.byteLength(text) + 1);
    this.#end += this.#buffer.write(text, this.#end);
    this.#end = this.#buffer.writeUInt8(0, this.#end);
    return this;
  }

  #char(char: string): this {
    this.#reserve(1);
    this.#end = this.#buffer.writeUInt8(char.charCodeAt(0), this.#end);
    return this;
  }

  #int16(value: number): this {
    this.#reserve(2);
    this.#end = this.#buffer.writeUInt16BE(value, this.#end);
    return this;
  }

  #int32(value: number): this {
    this.#reserve(4);
    this.#end = this.#buffer.writeInt32BE(value, this.#end);
    return this;
  }

  #reserve(bytes: number): void {
    if (this.#end + bytes <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#end + bytes, this.#buffer.length * 2));
    larger.set(this.#buffer.subarray(0, this.#end));
    this.#buffer = larger;
  }
}

/** Parses the complete response to one buffer of messages. */
export function readAnswer(answer: ArrayBuffer): WireAnswer {
  const bytes = Buffer.from(answer);
  const read: WireAnswer = { fields: undefined, rows: [], tags: [], isPrepared: false, error: undefined };
  for (let at = 0; at < bytes.length;) {
    const body = at + 5;
    const end = at + 1 + bytes.readInt32BE(at + 1);
    switch (bytes[at]) {
      case DATA_ROW:
        read.rows.push(readRow(bytes, body));
        break;
      case ROW_DESCRIPTION:
        read.fields = readFields(bytes, body);
        break;
      case NO_DATA:
        read.fields = [];
        break;
      case COMMAND_COMPLETE:
        read.tags.push(bytes.toString('latin1', body, end - 1));
        break;
      case PARSE_COMPLETE:
        read.isPrepared = true;
        break;
      case ERROR_RESPONSE:
        read.error ??= readError(bytes, body);
        break;
      default:
      // Notices and acknowledgements.
    }
    at = end;
  }
  return read;
}

const codeOf = (char: string) => char.charCodeAt(0);
const DATA_ROW = codeOf('D');
const ROW_DESCRIPTION = codeOf('T');
const NO_DATA = codeOf('n');
const COMMAND_COMPLETE = codeOf('C');
const PARSE_COMPLETE = codeOf('1');
const ERROR_RESPONSE = codeOf('E');

function readRow(bytes: Buffer, body: number): (string | null)[] {
  const row: (string | null)[] = [];
  let at = body + 2;
  for (let left = bytes.readUInt16BE(body); left > 0; left -= 1) {
    const size = bytes.readInt32BE(at);
    at += 4;
    if (size === -1) {
      row.push(null);
      continue;
    }
    row.push(bytes.toString('utf8', at, at + size));
    at += size;
  }
  return row;
}

/** Properties after a field's name: origin, type and format. */
const FIELD_BYTES = 18;

function readFields(bytes: Buffer, body: number): WireField[] {
  const fields: WireField[] = [];
  let at = body + 2;
  for (let left = bytes.readUInt16BE(body); left > 0; left -= 1) {
    const end = bytes.indexOf(0, at);
    fields.push({ name: bytes.toString('utf8', at, end), dataTypeID: bytes.readUInt32BE(end + 7) });
    at = end + 1 + FIELD_BYTES;
  }
  return fields;
}

function readError(bytes: Buffer, body: number): WireError {
  const parts: Record<string, string> = {};
  for (let at = body; bytes[at] !== 0;) {
    const end = bytes.indexOf(0, at);
    parts[bytes.toString('latin1', at, at + 1)] = bytes.toString('utf8', at + 1, end);
    at = end + 1;
  }
  const { M: message = 'The store refused a statement.', C: code, D: detail, H: hint } = parts;
  return { message, code, detail, hint, table: parts['t'], column: parts['c'], constraint: parts['n'] };
}
