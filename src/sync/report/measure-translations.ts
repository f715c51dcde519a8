import { stripTags } from '#contracts/index.ts';
import { DIMENSION_FIELDS, PRODUCT_FIELDS, type ProductField } from '#contracts/product/index.ts';
import { runsOf } from '#files/runs-of.ts';
import type { StoredProduct } from '#snapshot/index.ts';

export interface TranslationOptions {
  mainLanguage: string;
  /** Requested languages. */
  languages: readonly string[];
}

export interface TranslationGap {
  gtin: string;
  name: string;
  language: string;
  /** `untranslated`: there is no record, or only one in another language. */
  state: 'untranslated' | 'incomplete';
  /** Fields that the main language fills and this one doesn't. */
  missing: ProductField[];
}

export interface TranslationReport {
  mainLanguage: string;
  /** The others. */
  languages: string[];
  /** Products that are translated by language, of so many. */
  translated: Record<string, number>;
  products: number;
  /** For each field: in how many products the main language fills it, and in how many of these each other one does. */
  fields: { field: ProductField; inMain: number; filled: Record<string, number> }[];
  /** Worst first, at most 1000. */
  gaps: TranslationGap[];
  gapCount: number;
}

type Row = Pick<StoredProduct, 'gtin' | 'language' | 'record'>;

const MAX_GAPS = 1000;

/** Numbers, codes and the picture without words are the same in all languages. */
const NEUTRAL_FIELDS = new Set<ProductField>([
  ...DIMENSION_FIELDS,
  'gtin',
  'language',
  'abas_id',
  'item_number',
  'price',
  'availability',
  'folded',
  'packaging_unit_quantity',
  'bundle_unit_quantity',
  'image',
]);
const TRANSLATED_FIELDS = PRODUCT_FIELDS.filter((field) => !NEUTRAL_FIELDS.has(field));

/**
 * How complete the translations are, measured by the main language: by language and field, and product by product. A
 * record in another language than requested is no translation.
 * @param products The languages of a product one after the other.
 */
export function measureTranslations(
  products: Iterable<Row>,
  { mainLanguage, languages }: TranslationOptions,
): TranslationReport {
  const others = languages.filter((language) => language !== mainLanguage);
  const zeros = () => Object.fromEntries(others.map((language) => [language, 0]));
  const translated: Record<string, number> = zeros();
  const fields = TRANSLATED_FIELDS.map((field) => ({ field, inMain: 0, filled: zeros() as Record<string, number> }));
  const gaps: TranslationGap[] = [];
  let count = 0;
  for (const rows of runsOf(products, ({ gtin }) => gtin)) {
    count += 1;
    const records = new Map(
      rows.flatMap(({ language, record }) => (record.language === language ? [[language, record]] : [])),
    );
    const main = records.get(mainLanguage) ?? rows[0].record;
    const tallies = fields.filter(({ field }) => isFilled(main[field]));
    for (const tally of tallies) tally.inMain += 1;
    for (const language of others) {
      const record = records.get(language);
      const missing: ProductField[] = [];
      for (const { field, filled } of tallies) {
        if (record && isFilled(record[field])) filled[language] = (filled[language] ?? 0) + 1;
        else missing.push(field);
      }
      if (record) translated[language] = (translated[language] ?? 0) + 1;
      if (missing.length === 0) continue;
      gaps.push({ gtin: main.gtin, name: main.name, language, state: record ? 'incomplete' : 'untranslated', missing });
    }
  }
  const worst = gaps.toSorted(
    (a, b) =>
      Number(b.state === 'untranslated') - Number(a.state === 'untranslated') || b.missing.length - a.missing.length,
  );
  return {
    mainLanguage,
    languages: others,
    translated,
    products: count,
    fields: fields.filter(({ inMain }) => inMain > 0),
    gaps: worst.slice(0, MAX_GAPS),
    gapCount: gaps.length,
  };
}

/** How texts begin that are filled whatever follows: not with a space, a tag or an entity. */
const BEGINS_WITH_TEXT = /^[^\s<&]/;

/** Empty markup counts as empty. */
function isFilled(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'string' && BEGINS_WITH_TEXT.test(value)) return true;
  return typeof value !== 'string' || stripTags(value).replaceAll('&nbsp;', '').trim() !== '';
}
