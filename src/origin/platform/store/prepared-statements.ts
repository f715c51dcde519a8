import { makePgArray } from 'drizzle-orm/pg-core';
import { readAnswer, WireWriter, type WireAnswer, type WireField, type WireValue } from './pglite-wire.ts';

/** More than are in use at a time. Each takes about ten kilobytes. */
const MAX_PREPARED = 200;

/** Longer statements write many rows and rarely repeat. The list for an editor has 15,000 characters. */
const MAX_LENGTH = 32_768;

/** Matches statements that Postgres plans. */
const PLANNED = /^\s*(?:select|insert|update|delete|with)\b/i;

/** Matches tags of commands that don't change tables, so that prepared statements remain valid. */
const LEAVES_TABLES = /^(?:SELECT|INSERT|UPDATE|DELETE|BEGIN|COMMIT|SAVEPOINT|RELEASE|SET)\b/;

/** `fields` is undefined until the first response was read. */
interface Prepared {
  name: string;
  fields?: WireField[];
}

export interface Exchange {
  bytes: ArrayBuffer;
  /** Parses the response to `bytes`. */
  read: (answer: ArrayBuffer) => WireAnswer;
}

/**
 * Prepares statements on first use and runs them by name afterwards: Postgres parses and describes each once, and a
 * query takes one round trip.
 *
 * Encoded messages must be sent in this order over one connection.
 */
export class PreparedStatements {
  /** By SQL, least recently used first. */
  readonly #prepared = new Map<string, Prepared>();
  #unused: string[] = [];
  #names = 0;

  encode(sql: string, params: readonly unknown[]): Exchange {
    const existing = this.#prepared.get(sql);
    const values = params.map(toWire);
    if (existing?.fields) return this.#runAgain(sql, existing, values);
    // The first use may fail, so concurrent uses of the same SQL don't rely on its name.
    const statement = existing || sql.length > MAX_LENGTH || !PLANNED.test(sql) ? undefined : this.#name(sql);
    const name = statement?.name ?? '';
    const bytes = this.#writer().prepare(name, sql).run(name, values).finish();
    return {
      bytes,
      read: (answer) => {
        const read = this.#read(answer);
        if (statement && read.isPrepared && read.fields) statement.fields = read.fields;
        else if (statement) this.#evict(sql, statement);
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
    if (oldest && this.#prepared.size >= MAX_PREPARED) this.#evict(...oldest);
    this.#names += 1;
    const statement = { name: `s${this.#names}` };
    this.#prepared.set(sql, statement);
    return statement;
  }

  #read(response: ArrayBuffer): WireAnswer {
    const parsed = readAnswer(response);
    // After a change of tables, Postgres refuses prepared statements whose types have changed.
    if (!parsed.tags.every((tag) => LEAVES_TABLES.test(tag))) {
      for (const [sql, statement] of this.#prepared) this.#evict(sql, statement);
    }
    return parsed;
  }

  #evict(sql: string, statement: Prepared): void {
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

/** Converts a parameter like `pg` does, except for dates, which are in UTC. */
function toWire(value: unknown): WireValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || value instanceof Uint8Array) return value;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return makePgArray(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
