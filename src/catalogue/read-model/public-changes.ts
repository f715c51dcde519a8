import { z } from 'zod';
import { productPath } from '#catalogue/addresses/paths.ts';
import { createPriceView, currencyOf, priceDisplay, type PriceRule } from '#catalogue/products/price.ts';
import { productSlug } from '#catalogue/addresses/slugs.ts';
import { romanise } from '../addresses/server-slugs.ts';
import { availability, decimal, PRODUCT_FIELDS } from '#contracts/product/index.ts';
import type { Options } from '#config/index.ts';
import type { publicChange } from '../entries/entries.ts';
import type { SiteEntry } from './content-paths.ts';
import { readArticles } from './articles.ts';
import type { LoaderSource, ProjectedEntry } from '#catalogue/read-model/with-snapshot.ts';

/** A change as stored in the report of a run. */
export const storedChange = z.object({
  kind: z.string(),
  id: z.string(),
  language: z.string().optional(),
  name: z.string(),
  change: z.enum(['added', 'changed', 'removed']),
  fields: z.array(z.object({ field: z.string(), before: z.unknown().optional(), after: z.unknown().optional() })),
});

export type StoredChange = z.output<typeof storedChange>;
type PublicInput = z.input<typeof publicChange>;

/** Fields that identify a record, so their change creates another one. */
const IDENTITY = new Set(['gtin', 'language']);

/** Converts changes of stored reports to public ones. Changes that the site doesn't show are dropped. */
export function createChangeMapper(source: LoaderSource): (change: StoredChange) => PublicInput[] {
  let locations: ReadonlyMap<string, ArticleLocation> | undefined;
  return (change) => {
    const { kind, id } = change;
    if (kind === 'product') return describeProduct(source, change);
    if (kind !== 'post' && kind !== 'page' && kind !== 'episode') return [];
    // Placing all articles is slow and only needed if a listed run has changed one.
    locations ??= articleLocations(source);
    const location = locations.get(`${kind} ${id}`);
    const isShown = change.change === 'removed' || location !== undefined;
    if (!isShown || isMoved(change)) return [];
    return [
      {
        kind,
        change: change.change,
        // Withdrawn records have no name.
        title: change.name || `${kind} ${id}`,
        ...(location && { language: location.language, path: location.path }),
        fields: [],
      },
    ];
  };
}

type ArticleLocation = Pick<SiteEntry<unknown>, 'language' | 'path'>;

/** Locations of articles on the site, by kind and id. */
function articleLocations(source: LoaderSource): ReadonlyMap<string, ArticleLocation> {
  const { posts, pages, episodes } = readArticles(source);
  return new Map([
    ...posts.map((post): [string, ArticleLocation] => [`post ${post.record.id}`, post]),
    ...pages.map((page): [string, ArticleLocation] => [`page ${page.record.id}`, page]),
    ...episodes.map((episode): [string, ArticleLocation] => [`episode ${episode.record.id}`, episode]),
  ]);
}

/** True if only its position in a list has changed. */
function isMoved({ change, fields }: StoredChange): boolean {
  return change === 'changed' && fields.every(({ field }) => field === 'position');
}

function describeProduct(source: LoaderSource, stored: StoredChange): PublicInput[] {
  const { id: gtin, language, name, change } = stored;
  if (language === undefined || !source.languages.includes(language)) return [];
  const fields = publicFields(stored, source.options, language);
  if (change === 'changed' && fields.length === 0) return [];
  const path = pathOf(source, gtin, language);
  return [
    {
      kind: 'product',
      change,
      gtin,
      language,
      title: name,
      ...(path !== undefined && { path }),
      fields,
      ...availabilityOf(stored),
      ...priceChangeOf(source, stored, language),
    },
  ];
}

/** Returns the changed fields of a product that the site shows in a language. */
function publicFields({ fields }: StoredChange, { price, product }: Options, language: string): string[] {
  const known = new Set<string>([...PRODUCT_FIELDS, 'documents', ...Object.keys(product.fields)]);
  const names = fields.map(({ field }) => field.split(/[.[]/, 1)[0] ?? '');
  return [...new Set(names)].filter(
    (field) => known.has(field) && !IDENTITY.has(field) && !isHiddenField(field, price, language),
  );
}

/** True if no changed field of a product is shown in a language. */
export function isHiddenChange({ change, fields }: StoredChange, rule: PriceRule, language: string): boolean {
  return change === 'changed' && fields.length > 0 && fields.every(({ field }) => isHiddenField(field, rule, language));
}

/** True for the manufacturer's internal number, and for the price if the language hides prices. */
function isHiddenField(field: string, rule: PriceRule, language: string): boolean {
  return field === 'abas_id' || (field === 'price' && priceDisplay(rule, language) === 'none');
}

/** Path of the product page; undefined if it shows another record as a fallback. */
function pathOf({ snapshot }: LoaderSource, gtin: string, language: string): string | undefined {
  const row = snapshot.product(gtin, language);
  if (row?.record.language !== language) return undefined;
  return productPath(language, productSlug(romanise(row.record.name), gtin));
}

function availabilityOf({ fields }: StoredChange): Pick<PublicInput, 'availability'> {
  const found = fields.find(({ field }) => field === 'availability');
  if (!found) return {};
  const read = (value: unknown) => availability.safeParse(value).data ?? null;
  return { availability: { before: read(found.before), after: read(found.after) } };
}

function priceChangeOf(
  { options }: LoaderSource,
  { fields }: StoredChange,
  language: string,
): Pick<PublicInput, 'price'> {
  const found = fields.find(({ field }) => field === 'price');
  const { price: rule } = options;
  const show = priceDisplay(rule, language);
  if (!found || show === 'none') return {};
  const amountOf = (wire: unknown) => {
    const price = decimal.safeParse(wire).data;
    const size = { length: undefined, width: undefined, area: undefined };
    const view = createPriceView({ language, price, ...size }, rule, language);
    return view.kind === 'amount' ? view.amount : null;
  };
  const [before, after] = [amountOf(found.before), amountOf(found.after)] as const;
  return { price: { before, after, tax: show, currency: currencyOf(rule, language) } };
}

const MAX_RUNS = 50;
const MAX_CHANGES = 1000;
/** The snapshot stores at most a hundred runs without changes between those with changes. */
const RUNS_TO_READ = MAX_RUNS + 100;

const storedCounts = z.record(z.string(), z.record(z.string(), z.record(z.string(), z.number())));
const storedReport = z.object({ changes: z.array(storedChange), counts: storedCounts });

/** Kinds that are published; the others are internal. */
const KINDS = new Set(['product', 'post', 'page', 'episode']);

/**
 * Lists the latest runs with changes, newest first, with the changes that the site shows. Problems and upstream
 * addresses are omitted; prices appear as the site shows them.
 */
export function* projectChanges(source: LoaderSource): Generator<ProjectedEntry> {
  const describe = createChangeMapper(source);
  const runs = source.snapshot.runs(RUNS_TO_READ).filter(({ changed }) => changed);
  let remaining = MAX_CHANGES;
  for (const run of runs.slice(0, MAX_RUNS)) {
    const report = storedReport.safeParse(JSON.parse(run.report ?? 'null')).data;
    const changes = report?.changes.flatMap(describe) ?? [];
    const listed = changes.slice(0, remaining);
    remaining -= listed.length;
    yield {
      id: run.id,
      data: {
        at: run.finishedAt,
        digest: run.digest,
        ...(run.previousDigest !== undefined && { previousDigest: run.previousDigest }),
        complete: report !== undefined && isComplete(report) && listed.length === changes.length,
        changes: listed,
      },
    };
    if (remaining === 0) return;
  }
}

/**
 * True if the stored report lists all changes that it counts. Long reports are truncated, and the first one lists none.
 */
function isComplete({ changes, counts }: z.output<typeof storedReport>): boolean {
  const counted = Object.entries(counts)
    .filter(([kind]) => KINDS.has(kind))
    .flatMap(([, byLanguage]) => Object.values(byLanguage))
    .flatMap((tally) => Object.values(tally));
  return changes.filter(({ kind }) => KINDS.has(kind)).length >= counted.reduce((sum, count) => sum + count, 0);
}
