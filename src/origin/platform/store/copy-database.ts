import { randomUUID } from 'node:crypto';
import { Client } from 'pg';

export interface DatabaseCopy {
  /** `postgres://…` */
  address: string;
  /** Deletes the database. All connections must be closed. */
  drop(): Promise<void>;
}

/** Copies an unused database on its own server, so that each test begins with an empty store. */
export async function copyDatabase(template: string): Promise<DatabaseCopy> {
  const source = new URL(template).pathname.slice(1);
  const name = `copy_${randomUUID()}`;
  const at = (database: string) => Object.assign(new URL(template), { pathname: `/${database}` }).href;
  await runStatement(at('postgres'), `create database "${name}" template "${source}"`);
  return { address: at(name), drop: () => runStatement(at('postgres'), `drop database "${name}"`) };
}

/** Runs one statement on a PostgreSQL server over a new connection. */
export async function runStatement(address: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: address });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
