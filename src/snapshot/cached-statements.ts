import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';

type Row = Record<string, SQLOutputValue>;

/** Compiles each statement once, because pages read hundreds of thousands of single rows. */
export function cachedStatements(database: DatabaseSync) {
  const statements = new Map<string, StatementSync>();
  const prepare = (sql: string): StatementSync => {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  return {
    getOne: (sql: string, ...values: SQLInputValue[]): Row | undefined => prepare(sql).get(...values),
    getAll: (sql: string, ...values: SQLInputValue[]): Row[] => prepare(sql).all(...values),
  };
}
