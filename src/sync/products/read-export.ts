import { BodyError } from '#client/read-body.ts';
import { isNestedTooDeep } from '#client/classify-response.ts';
import type { ProductClient } from '#client/product-client.ts';
import type { SyncRun } from '../sync-options.ts';
import { type LanguageRequest, evaluateRecord, type ProductOutcome } from './evaluate-response.ts';

/** Maximum lines per listed record. A longer export is treated as endless. */
const MAX_LINES_PER_RECORD = 2;

/**
 * Reads records from the interface's export.
 * @param listed Number of records in the interface's list.
 * @returns Requests for records that the export lacks.
 */
export async function readExport(
  run: SyncRun,
  client: ProductClient,
  listRequests: readonly LanguageRequest[],
  { listed, onResult }: { listed: number; onResult: (request: LanguageRequest, evaluated: ProductOutcome) => void },
): Promise<LanguageRequest[]> {
  const pending = new Map(listRequests.map((request) => [`${request.gtin} ${request.language}`, request]));
  const answer = await client.exportLines();
  if (answer.outcome !== 'answered') return listRequests.slice();
  let lines = 0;
  try {
    for await (const line of answer.lines) {
      lines += 1;
      if (lines > listed * MAX_LINES_PER_RECORD) break;
      const record: unknown = JSON.parse(line);
      const key = keyOf(record);
      const request = pending.get(key);
      if (!request || isNestedTooDeep(record)) continue;
      pending.delete(key);
      onResult(request, evaluateRecord(run, request, record));
      if (pending.size === 0 || run.isSpent()) break;
    }
  } catch (error) {
    // Each line is independent: use what arrived and request the rest.
    if (!(error instanceof BodyError || error instanceof SyntaxError)) throw error;
    run.logger.debug(`The export ended early; ${pending.size} records are requested one by one.`);
  }
  return [...pending.values()];
}

function keyOf(record: unknown): string {
  if (typeof record !== 'object' || record === null) return '';
  const { gtin, language } = record as Record<string, unknown>;
  return typeof gtin === 'string' && typeof language === 'string' ? `${gtin} ${language}` : '';
}
