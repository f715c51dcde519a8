import { asc, eq, sql, and, type SQL } from 'drizzle-orm';
import { wireDateTime } from '#contracts/index.ts';
import type { Language } from '#contracts/product/index.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import type { RowWindow } from '#origin/platform/content/resources/find-rows.ts';
import type { Database } from '#origin/platform/store/store.ts';
import { product, productLanguage } from '#origin/platform/store/schema.ts';
import { ProductError, type ProductView, JSON_RENDERER, PAGE_RENDERER } from './product-request.ts';
import { listProducts, MAX_PAGE_SIZE } from '#contracts/product/routes.ts';

/**
 * Finds a product's record in the wanted language, otherwise in the first available language of the language list. The
 * result's `language` says which one it is.
 */
export async function findProduct(context: OriginContext, gtin: string, wanted: string | undefined) {
  const wantedFirst = wanted === undefined ? [] : [sql`case when ${product.language} = ${wanted} then 0 else 1 end`];
  const [found] = await context.store.db
    .select({ record: product.record, language: product.language })
    .from(product)
    .leftJoin(productLanguage, eq(productLanguage.code, product.language))
    .where(eq(product.gtin, gtin))
    .orderBy(...wantedFirst, sql`${productLanguage.position} asc nulls last`, asc(product.language))
    .limit(1);
  return found;
}

/** Lists the languages by position; the first is the main one. */
export function findLanguages(context: OriginContext): Promise<Language[]> {
  return context.store.db
    .select({ code: productLanguage.code, name: productLanguage.name })
    .from(productLanguage)
    .orderBy(asc(productLanguage.position), asc(productLanguage.code));
}

/** Lists records by the time of their last change, in a stable order. */
function findProductChanges(db: Database, filter: SQL | undefined, { offset, limit }: RowWindow) {
  const { gtin, language, modifiedAt } = product;
  // Formats timestamps of the selected page only, not of the skipped rows.
  const found = db
    .select({ gtin, language, modifiedAt })
    .from(product)
    .where(filter)
    .orderBy(asc(modifiedAt), asc(gtin), asc(language))
    .offset(offset)
    .limit(limit)
    .as('found');
  return db
    .select({
      gtin: found.gtin,
      language: found.language,
      // In microseconds, so that it can be sent back as `modified_after` without loss.
      modified: sql<string>`to_char(${found.modifiedAt} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
    })
    .from(found)
    .orderBy(asc(found.modifiedAt), asc(found.gtin), asc(found.language));
}

/**
 * Condition of records in a language that were changed after the time in `modified_after`.
 *
 * @throws ProductError 400 for an invalid time
 */
export function matchesChanges(query: URLSearchParams, language: string | undefined): SQL | undefined {
  const text = query.getAll('modified_after').at(-1)?.trim();
  const utc = text && wireDateTime.safeParse(text).success && toUtc(text);
  if (text && !utc) throw new ProductError('invalidMoment', { parameter: 'modified_after' });
  return and(
    language === undefined ? undefined : eq(product.language, language),
    utc ? sql`${product.modifiedAt} > ${utc}::timestamptz` : undefined,
  );
}

/** Parses a time, in UTC if it has no zone. Preserves microseconds, which a Date can't do. */
function toUtc(text: string): string | undefined {
  const parts = /^(.{10})[T ](.{8})(?:\.(\d+))?(Z|[+-]\d{2}:?\d{0,2})?$/i.exec(text);
  if (!parts) return undefined;
  const [, day = '', time = '', fraction = '', zone = 'Z'] = parts;
  const local = new Date(`${day}T${time}Z`);
  // 31 February would roll over into March.
  if (!local.toJSON()?.startsWith(day) || day.startsWith('0000')) return undefined;
  const [hours = 0, minutes = 0] =
    /^[+-](\d{2}):?(\d{2})?$/
      .exec(zone)
      ?.slice(1)
      .map((part) => Number(part ?? 0)) ?? [];
  if (hours > 15 || minutes > 59) return undefined;
  const offsetMs = (hours * 60 + minutes) * 60_000 * (zone.startsWith('-') ? -1 : 1);
  const timestamp = new Date(local.getTime() - offsetMs).toISOString();
  return /^\d{4}-/.test(timestamp) ? `${timestamp.slice(0, 19)}.${fraction.slice(0, 6).padEnd(6, '0')}Z` : undefined;
}

/** Returns the requested language of a list or an index; undefined if none. */
export async function resolveLanguage(context: OriginContext, query: URLSearchParams): Promise<string | undefined> {
  const languages = await findLanguages(context);
  const requested = parseLanguage(query);
  if (requested === undefined || languages.some(({ code }) => code === requested)) return requested;
  rejectLanguage(context, query);
  return languages[0]?.code;
}

/**
 * Reads the requested language in the form of the language list: `DE_de` becomes `de-de`. An empty value counts as
 * none. The last of several values wins. Doesn't check that the language exists.
 */
export function parseLanguage(query: URLSearchParams): string | undefined {
  const text = query.getAll('language').at(-1)?.trim();
  return text ? text.toLowerCase().replaceAll('_', '-') : undefined;
}

/**
 * Rejects an unknown language, unless the main language is used instead.
 *
 * @throws ProductError 400 or 404, depending on the option `unknownLanguage`
 */
export function rejectLanguage({ product: { unknownLanguage } }: OriginContext, query: URLSearchParams): void {
  const input = query.getAll('language').at(-1) ?? '';
  if (unknownLanguage === 'error')
    throw new ProductError('invalidChoice', { parameter: 'language', values: { input } });
  if (unknownLanguage === 'not-found') throw new ProductError('noSuchProduct');
}

const { page, page_size: pageSize } = listProducts.query.shape;

/** Addition: a paged list of records and their modification times, oldest first. */
export const productListView: ProductView<typeof listProducts> = {
  route: listProducts,
  name: 'Product List',
  renderers: [JSON_RENDERER, PAGE_RENDERER],
  async read(context, { query, target }) {
    const filter = matchesChanges(query, await resolveLanguage(context, query));
    const { db } = context.store;
    const total = await db.$count(product, filter);
    const limit = readPageSize(query);
    const lastPage = Math.max(1, Math.ceil(total / limit));
    const number = readPage(query, lastPage);
    const link = (wanted: number) => linkPage(context.publicUrl, target, wanted);
    return {
      count: total,
      next: number < lastPage ? link(number + 1) : null,
      previous: number > 1 ? link(number - 1) : null,
      results: await findProductChanges(db, filter, { offset: (number - 1) * limit, limit }),
    };
  },
};

/** Returns the page size. An invalid size becomes the default, one that is too large the maximum. */
function readPageSize(query: URLSearchParams): number {
  const text = query.getAll('page_size').at(-1) || undefined;
  const read = pageSize.safeParse(text);
  if (read.success) return read.data;
  return Number(text) > MAX_PAGE_SIZE ? MAX_PAGE_SIZE : pageSize.parse(undefined);
}

function readPage(query: URLSearchParams, lastPage: number): number {
  const text = query.getAll('page').at(-1) || undefined;
  if (text === 'last') return lastPage;
  const read = page.safeParse(text);
  if (!read.success || read.data > lastPage) throw new ProductError('invalidPage');
  return read.data;
}

/** Returns the same address with another page. The first page has no number. */
function linkPage(publicUrl: string, target: string, number: number): string {
  const url = new URL(publicUrl + target);
  if (number === 1) url.searchParams.delete('page');
  else url.searchParams.set('page', String(number));
  url.searchParams.sort();
  return url.href;
}
