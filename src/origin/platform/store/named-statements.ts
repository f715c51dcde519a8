import { Query, types as pgTypes, type FieldDef, type Pool, type QueryResult } from 'pg';
import { boundParsers, maxResultBytes } from './store-limits.ts';

/** Matches statements that Postgres plans. */
const PLANNED = /^\s*(?:select|insert|update|delete|with)\b/i;

/** Number of uses after which a statement gets a name. */
const MIN_USES = 5;

/** Each takes about ten kilobytes per connection of the database server. */
const MAX_NAMED = 150;

/** Maximum number of statements whose uses are counted. */
const MAX_COUNTED = 2000;

/** Longer statements write many rows and rarely repeat. */
const MAX_LENGTH = 32_768;

/**
 * Names frequent statements on all future connections of a pool. The server parses and plans a named statement once
 * per connection, and describes its rows once.
 */
export function nameStatements(pool: Pool): void {
  const names = new Map<string, string>();
  const uses = new Map<string, number>();
  const nameOf = (sql: string): string | undefined => {
    const existing = names.get(sql);
    if (existing !== undefined || names.size >= MAX_NAMED) return existing;
    if (sql.length > MAX_LENGTH || !PLANNED.test(sql)) return undefined;
    const used = (uses.get(sql) ?? 0) + 1;
    if (used < MIN_USES) {
      if (uses.size >= MAX_COUNTED) uses.clear();
      uses.set(sql, used);
      return undefined;
    }
    uses.delete(sql);
    names.set(sql, `s${names.size}`);
    return names.get(sql);
  };
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const described = new Map<string, Described>();
    const runNamed = (
      { text, rowMode, types }: Unnamed,
      name: string,
      values: unknown[],
      maxBytes: number,
    ): Promise<unknown> => {
      const existing = described.get(name);
      if (rowMode === 'array' && existing) {
        const parsers = existing.parsers.map(boundParsers(maxBytes));
        return new Promise((resolve, reject) => {
          const submitted = query(new DescribedQuery({ ...existing, parsers, text, name, values }, resolve, reject));
          // The query that it is pipelined with may fail.
          if (submitted instanceof Promise) submitted.catch(reject);
        });
      }
      const result = query({ text, rowMode, types: boundTypes(types, maxBytes), name }, values) as Promise<QueryResult>;
      if (rowMode !== 'array' || !types) return result;
      return result.then((result) => {
        const parsers = result.fields.map(({ dataTypeID }) => types.getTypeParser(dataTypeID, 'text'));
        described.set(name, { fields: result.fields, parsers });
        return result;
      });
    };
    const runQuery = (input: unknown, ...rest: unknown[]): unknown => {
      const [values, callback] = rest;
      if (!isUnnamed(input)) return query(input, ...rest);
      const maxBytes = maxResultBytes();
      const bounded = { ...input, types: boundTypes(input.types, maxBytes) };
      // A query with no values may contain several statements.
      if (!Array.isArray(values) || values.length === 0) return query(bounded, ...rest);
      const name = nameOf(input.text);
      if (name === undefined) return query(bounded, ...rest);
      const result = runNamed(input, name, values, maxBytes);
      if (typeof callback !== 'function') return result;
      // The pool uses callbacks.
      result.then(
        (result) => callback(undefined, result),
        (error: unknown) => callback(error),
      );
      return undefined;
    };
    // `query` has a separate type for each signature.
    client.query = runQuery as typeof client.query;
  });
}

/** Description of a statement's rows. */
interface Described {
  fields: FieldDef[];
  parsers: readonly ((text: string) => unknown)[];
}

/** Internals of a `pg` query, which its types don't declare. */
interface QueryParts {
  name: string;
  callback: (error: Error | null, result?: unknown) => void;
  _accumulateRows: boolean;
  _result: { fields: FieldDef[]; _parsers: Described['parsers']; parseRow: unknown; _parseRowAsArray: unknown };
}

/** A named statement with known row description. */
class DescribedQuery extends Query {
  constructor(
    { text, name, values, fields, parsers }: Described & { text: string; name: string; values: unknown[] },
    resolve: (result: unknown) => void,
    reject: (error: Error) => void,
  ) {
    super(text, values);
    const parts = this as unknown as QueryParts;
    parts.name = name;
    parts.callback = (error, result) => (error ? reject(error) : resolve(result));
    parts._accumulateRows = true;
    const { _result: result } = parts;
    result.fields = fields;
    result._parsers = parsers;
    result.parseRow = result._parseRowAsArray;
  }

  prepare(connection: object): void {
    const parent = Object.getPrototypeOf(DescribedQuery.prototype) as {
      prepare(this: Query, connection: object): void;
    };
    parent.prepare.call(this, withoutDescribe(connection));
  }
}

const withoutDescribes = new WeakMap<object, object>();

/** Wraps a connection so that it requests no row description. */
function withoutDescribe(connection: object): object {
  const existing =
    withoutDescribes.get(connection) ?? (Object.create(connection, { describe: { value: () => undefined } }) as object);
  withoutDescribes.set(connection, existing);
  return existing;
}

interface Unnamed {
  text: string;
  rowMode?: string;
  types?: Types | undefined;
}

interface Types {
  getTypeParser(type: number, format: 'text'): (text: string) => unknown;
}

function boundTypes(types: Types | undefined, maxBytes: number): Types | undefined {
  if (maxBytes === Infinity) return types;
  const bound = boundParsers(maxBytes);
  const typeParsers: Types = types ?? pgTypes;
  return { getTypeParser: (type, format) => bound(typeParsers.getTypeParser(type, format)) };
}

function isUnnamed(input: unknown): input is Unnamed {
  return (
    typeof input === 'object' &&
    input !== null &&
    'text' in input &&
    typeof input.text === 'string' &&
    (!('name' in input) || !input.name)
  );
}
