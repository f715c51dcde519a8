import { Client } from 'pg';

/** Runs one statement on a PostgreSQL server, over a connection of its own. */
export async function runStatement(address: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: address });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
