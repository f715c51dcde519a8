import { BodyError, type ProductClient } from '../../client/index.ts';
import type { SyncRun } from '../sync-run.ts';
import type { Asking } from './fetch-products.ts';
import { judgeRecord, type JudgedProduct } from './judge-answer.ts';

/**
 * Reads the records out of the interface's export, as far as it holds them.
 * @returns Those that it didn't give; they are to be asked for one by one.
 */
export async function readExport(
  run: SyncRun,
  client: ProductClient,
  askings: readonly Asking[],
  settle: (asking: Asking, judged: JudgedProduct) => void,
): Promise<Asking[]> {
  const wanted = new Map(askings.map((asking) => [`${asking.gtin} ${asking.language}`, asking]));
  const answer = await client.exportLines();
  if (answer.outcome !== 'answered' || answer.status !== 200) return askings.slice();
  if (!/ndjson|jsonl/i.test(answer.headers['content-type'] ?? '')) return askings.slice();
  try {
    for await (const line of answer.lines) {
      const record = JSON.parse(line) as unknown;
      const key = keyOf(record);
      const asking = wanted.get(key);
      if (!asking) continue;
      wanted.delete(key);
      settle(asking, judgeRecord(run, asking, record));
      if (wanted.size === 0 || run.isSpent()) break;
    }
  } catch (error) {
    // Each line stands for itself: what came is good, and the rest is asked for.
    if (!(error instanceof BodyError || error instanceof SyntaxError || error instanceof TypeError)) throw error;
    run.logger.debug(`The export ended early; ${wanted.size} records are asked for one by one.`);
  }
  return [...wanted.values()];
}

function keyOf(record: unknown): string {
  if (typeof record !== 'object' || record === null) return '';
  const { gtin, language } = record as Record<string, unknown>;
  return `${String(gtin)} ${String(language)}`;
}
