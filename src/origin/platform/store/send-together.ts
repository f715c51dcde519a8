import type { Pool, PoolClient, QueryResult } from 'pg';

/** The socket of a client, which its types don't declare. */
interface WithSocket {
  connection: { stream: { cork(): void; uncork(): void } };
}

const NOTHING: QueryResult = { command: '', rowCount: null, oid: 0, fields: [], rows: [] };

/**
 * Sends statements that are asked for at once in one go, on all connections of a pool that were not opened yet, and the
 * beginning of a transaction with the first of its statements: each go takes the process a tenth of a millisecond and
 * more, and a round to the server. The pool's clients have to be pipelined.
 */
export function sendTogether(pool: Pool): void {
  pool.on('connect', (client) => {
    const { stream } = (client as PoolClient & WithSocket).connection;
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    let isBeginning = false;
    const ask = (...args: unknown[]): unknown => {
      if (/^begin$/i.test(textOf(args[0]))) {
        isBeginning = true;
        return Promise.resolve(NOTHING);
      }
      stream.cork();
      // Comes when all has been asked that doesn't wait for an answer, a commit after the last statements too.
      process.nextTick(() => process.nextTick(() => stream.uncork()));
      if (!isBeginning) return query(...args);
      isBeginning = false;
      return Promise.all([query('begin'), query(...args)]).then(([, answer]) => answer);
    };
    // `query` has a type for each way to call it.
    client.query = ask as typeof client.query;
  });
}

function textOf(asked: unknown): string {
  if (typeof asked === 'string') return asked;
  return typeof asked === 'object' && asked !== null && 'text' in asked ? String(asked.text).trim() : '';
}
