import { randomUUID } from 'node:crypto';
import { runStatement } from './run-statement.ts';

export interface DatabaseCopy {
  /** `postgres://…` */
  address: string;
  /** Removes it; nobody may be connected any more. */
  drop(): Promise<void>;
}

/** Copies a database that nobody is connected to, on its own server: for tests, of which each begins with an empty store. */
export async function copyDatabase(template: string): Promise<DatabaseCopy> {
  const source = new URL(template).pathname.slice(1);
  const name = `copy_${randomUUID()}`;
  const at = (database: string) => Object.assign(new URL(template), { pathname: `/${database}` }).href;
  await runStatement(at('postgres'), `create database "${name}" template "${source}"`);
  return { address: at(name), drop: () => runStatement(at('postgres'), `drop database "${name}"`) };
}
