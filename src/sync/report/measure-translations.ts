import { stripTags } from '#contracts/index.ts';
import { DIMENSION_FIELDS, PRODUCT_FIELDS, type ProductField } from '#contracts/product/index.ts';
import { groupConsecutive } from '#files/group-consecutive.ts';
import type { StoredProduct } from '#snapshot/index.ts';

export interface TranslationGap {
  gtin: string;
  name: string;
  language: string;
  /** `untranslated`: there is no record, or only one in another language. */
  state: 'untranslated' | 'incomplete';
  /** Fields that are filled in the main language, but not in this one. */
  missing: ProductField[];
}

export interface TranslationReport {
  mainLanguage: string;
  /** Languages other than the main one. */
  languages: string[];
  /** Number of translated products by language. */
  translated: Record<string, number>;
  /** Total number of products. */
  products: number;
  /**
   * For each field, the number of products with a value in the main language, and with a value in each other language.
   */
  fields: { field: ProductField; inMain: number; filled: Record<string, number> }[];
  /** Worst first, at most 1000. */
  gaps: TranslationGap[];
  gapCount: number;
}

type Row = Pick<StoredProduct, 'gtin' | 'language' | 'record'>;

const MAX_GAPS = 1000;

/** Fields that are the same in all languages: numbers, codes and images. */
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
 * Measures the completeness of translations against the main language, by language, field and product. A record in
 * another language than requested is no translation.
 * @param products Records, grouped by product.
 */
export function measureTranslations(
  products: Iterable<Row>,
  { mainLanguage, languages }: { mainLanguage: string; languages: readonly string[] },
): TranslationReport {
  const otherLanguages = languages.filter((language) => language !== mainLanguage);
  const zeros = () => Object.fromEntries(otherLanguages.map((language) => [language, 0]));
  const translated: Record<string, number> = zeros();
  const fields = TRANSLATED_FIELDS.map((field) => ({ field, inMain: 0, filled: zeros() as Record<string, number> }));
  const gaps: TranslationGap[] = [];
  let count = 0;
  for (const rows of groupConsecutive(products, ({ gtin }) => gtin)) {
    count += 1;
    const records = new Map(
      rows.flatMap(({ language, record }) => (record.language === language ? [[language, record]] : [])),
    );
    const main = records.get(mainLanguage) ?? rows[0].record;
    const tallies = fields.filter(({ field }) => isFilled(main[field]));
    for (const tally of tallies) tally.inMain += 1;
    for (const language of otherLanguages) {
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
    languages: otherLanguages,
    translated,
    products: count,
    fields: fields.filter(({ inMain }) => inMain > 0),
    gaps: worst.slice(0, MAX_GAPS),
    gapCount: gaps.length,
  };
}

/** Texts that start with a character other than space, tag or entity are not empty. */
const BEGINS_WITH_TEXT = /^[^\s<&]/;

/** True if a field has a value. Empty markup counts as empty. */
function isFilled(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'string' && BEGINS_WITH_TEXT.test(value)) return true;
  return typeof value !== 'string' || stripTags(value).replaceAll('&nbsp;', '').trim() !== '';
}
