import type { RawError } from './pglite-protocol.ts';

/** A statement that Postgres refused, in the embedded store. `code` is the SQLSTATE, as with `pg`. */
export class StoreQueryError extends Error {
  override readonly name = 'StoreQueryError';
  readonly code: string | undefined;
  readonly detail: string | undefined;
  readonly table: string | undefined;
  readonly column: string | undefined;
  readonly constraint: string | undefined;

  constructor(error: RawError) {
    super(error.message);
    this.code = error.code;
    this.detail = error.detail;
    this.table = error.table;
    this.column = error.column;
    this.constraint = error.constraint;
  }
}
