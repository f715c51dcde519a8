import { makePgArray } from 'drizzle-orm/pg-core';
import { readAnswer, WireWriter, type WireAnswer, type WireField, type WireValue } from './pglite-wire.ts';

/** More than are in use at a time; each takes some ten kilobytes of the store's memory. */
const MAX_PREPARED = 200;

/** Longer ones write many rows, and are hardly ever the same twice. That of a list for an editor has 15,000 letters. */
const MAX_LENGTH = 32_768;

/** Statements that Postgres plans. */
const PLANNED = /^\s*(?:select|insert|update|delete|with)\b/i;

/** All that leaves tables as they are; what was prepared stays good then. */
const LEAVES_TABLES = /^(?:SELECT|INSERT|UPDATE|DELETE|BEGIN|COMMIT|SAVEPOINT|RELEASE|SET)\b/;

/** `fields` is missing until the answer to its first use was read. */
interface Prepared {
  name: string;
  fields?: WireField[];
}

export interface Exchange {
  bytes: ArrayBuffer;
  /** Reads what is answered to `bytes`. */
  read: (answer: ArrayBuffer) => WireAnswer;
}

/**
 * Prepares statements at their first use and runs them by name from then on: Postgres reads and describes each once,
 * and a query takes one round. What is encoded must be sent in this order, over one connection.
 */
export class PreparedStatements {
  /** By their text, the one that wasn't used for longest first. */
  readonly #prepared = new Map<string, Prepared>();
  #unused: string[] = [];
  #names = 0;

  encode(sql: string, params: readonly unknown[]): Exchange {
    const known = this.#prepared.get(sql);
    const values = params.map(toWire);
    if (known?.fields) return this.#runAgain(sql, known, values);
    // What is under way for the first time may fail: until then others of its text don't count on its name.
    const statement = known || sql.length > MAX_LENGTH || !PLANNED.test(sql) ? undefined : this.#name(sql);
    const name = statement?.name ?? '';
    const bytes = this.#writer().prepare(name, sql).run(name, values).finish();
    return {
      bytes,
      read: (answer) => {
        const read = this.#read(answer);
        if (statement && read.isPrepared && read.fields) statement.fields = read.fields;
        else if (statement) this.#forget(sql, statement);
        return read;
      },
    };
  }

  encodeScript(sql: string): Exchange {
    return { bytes: this.#writer().script(sql).finish(), read: (answer) => this.#read(answer) };
  }

  #runAgain(sql: string, statement: Prepared, values: readonly WireValue[]): Exchange {
    this.#prepared.delete(sql);
    this.#prepared.set(sql, statement);
    return {
      bytes: this.#writer().run(statement.name, values).finish(),
      read: (answer) => Object.assign(this.#read(answer), { fields: statement.fields }),
    };
  }

  #name(sql: string): Prepared {
    const [oldest] = this.#prepared;
    if (oldest && this.#prepared.size >= MAX_PREPARED) this.#forget(...oldest);
    this.#names += 1;
    const statement = { name: `s${this.#names}` };
    this.#prepared.set(sql, statement);
    return statement;
  }

  #read(answer: ArrayBuffer): WireAnswer {
    const read = readAnswer(answer);
    // A column may be of another type now, and Postgres refuses to run what was prepared before.
    if (!read.tags.every((tag) => LEAVES_TABLES.test(tag))) {
      for (const [sql, statement] of this.#prepared) this.#forget(sql, statement);
    }
    return read;
  }

  #forget(sql: string, statement: Prepared): void {
    if (this.#prepared.get(sql) === statement) this.#prepared.delete(sql);
    this.#unused.push(statement.name);
  }

  #writer(): WireWriter {
    const writer = new WireWriter();
    for (const name of this.#unused) writer.forget(name);
    this.#unused = [];
    return writer;
  }
}

/** A parameter as Postgres reads it whatever its type: the same as `pg` sends, but for moments, which are in UTC. */
function toWire(value: unknown): WireValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || value instanceof Uint8Array) return value;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return makePgArray(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
