import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';

type Row = Record<string, SQLOutputValue>;

/** Pages read hundreds of thousands of single rows, so each statement is compiled once. */
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
