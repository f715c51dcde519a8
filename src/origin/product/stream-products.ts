import { and, asc, eq, sql } from 'drizzle-orm';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { logError } from '#origin/platform/store/log-error.ts';
import { product } from '#origin/platform/store/schema.ts';
import { encodeJson } from './encode-json.ts';
import type { ChangeFilter } from './find-product.ts';
import { presentProduct } from './present-product.ts';

const BATCH_ROWS = 200;

/**
 * Streams every record as NDJSON, by GTIN and language. Only one batch is in memory, and the next is read on demand, so
 * slow clients don't exhaust it. Each record is sent at most once, as it is when its batch is read. An error aborts the
 * stream, so that a partial export isn't mistaken for a complete one.
 */
export function streamProducts(context: OriginContext, filter: ChangeFilter): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let last: { gtin: string; language: string } | undefined;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const rows = await readBatch(context, filter, last);
          last = rows.at(-1);
          const lines = rows.map(({ record }) => `${encodeJson(presentProduct(context, record))}\n`);
          if (lines.length > 0) controller.enqueue(encoder.encode(lines.join('')));
          if (rows.length < BATCH_ROWS) controller.close();
        } catch (error) {
          logError(context.log, 'The product export failed', error);
          controller.error(new Error('The product export failed'));
        }
      },
    },
    { highWaterMark: 0 },
  );
}

function readBatch(
  context: OriginContext,
  { language, modifiedAfter }: ChangeFilter,
  after: { gtin: string; language: string } | undefined,
) {
  return context.store.db
    .select({ gtin: product.gtin, language: product.language, record: product.record })
    .from(product)
    .where(
      and(
        after && sql`(${product.gtin}, ${product.language}) > (${after.gtin}, ${after.language})`,
        language === undefined ? undefined : eq(product.language, language),
        modifiedAfter === undefined ? undefined : sql`${product.modifiedAt} > ${modifiedAfter}::timestamptz`,
      ),
    )
    .orderBy(asc(product.gtin), asc(product.language))
    .limit(BATCH_ROWS);
}
