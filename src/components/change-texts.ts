import type { ChangeMessages } from '#catalogue/feeds/change-feed.ts';
import { pickText } from '#contracts/localized.ts';
import type { ProductField } from '#contracts/product/index.ts';
import type { StringKey, Ui } from '#i18n/index.ts';
import type { NumberTexts } from '#enhance/number-field.ts';

type Change = Parameters<ChangeMessages['change']>[0];

interface ChangeOptions {
  site: { name: string };
  product: { fields: Readonly<Record<string, { label: string | Readonly<Record<string, string>> }>> };
  mainLanguage: string;
}

/** Returns the texts of the change feeds in a language. */
export function changeTexts(ui: Ui, { site: { name }, product, mainLanguage }: ChangeOptions): ChangeMessages {
  const { lang, t, plural, formats } = ui;
  const labelOf = (field: string): string | undefined => {
    if (field in LABELS) return t(LABELS[field as keyof typeof LABELS]);
    const further = product.fields[field];
    return further && (pickText(further.label, ui.language, mainLanguage) ?? field);
  };
  const valuesOf = (change: Change, field: string): string[] => {
    if (field === 'availability' && change.availability) {
      const { before, after } = change.availability;
      return [before, after].map((value) => (value === null ? NO_VALUE : t(`availability.${value}`)));
    }
    if (field !== 'price' || !change.price) return [];
    const { before, after, currency } = change.price;
    return [before, after].map((value) => (value === null ? NO_VALUE : formats.price(value, currency)));
  };
  const formatField = (change: Change, field: string): string[] => {
    const label = labelOf(field);
    if (label === undefined) return [];
    const [before, after] = valuesOf(change, field);
    return [before === undefined || after === undefined ? label : t('changes.value', { field: label, before, after })];
  };
  return {
    lang,
    title: t('changes.title', { name }),
    description: t('changes.description', { name }),
    run: (changes, isComplete) => {
      if (changes === 0) return t(isComplete ? 'changes.none' : 'changes.unlisted');
      const counted = plural('changes.count', changes);
      return isComplete ? counted : t('changes.more', { changes: counted });
    },
    change: (change) => {
      const { kind, gtin, language, title } = change;
      const subject = [gtin ?? t(`changes.${kind}`), ...(language ? [formats.languageName(language)] : [])].join(', ');
      const fields = change.fields.flatMap((field) => formatField(change, field));
      return [t(`changes.${change.change}`, { title, about: subject }), ...new Set(fields)].join('; ');
    },
  };
}

const NO_VALUE = '–';

/** Labels of the fields in changes; some fields are never reported. */
const LABELS = {
  name: 'field.name',
  item_number: 'field.item_number',
  price: 'field.price',
  availability: 'facet.availability',
  length: 'field.length',
  width: 'field.width',
  height: 'field.height',
  area: 'field.area',
  joint: 'field.joint',
  weight: 'field.weight',
  folded: 'field.folded',
  trade_unit: 'field.trade_unit',
  packaging_unit: 'field.packaging_unit',
  packaging_unit_quantity: 'field.packaging_unit',
  bundle_unit: 'field.bundle_unit',
  bundle_unit_quantity: 'field.bundle_unit',
  erp_description: 'field.intro',
  erp_description_short: 'field.intro',
  intro: 'field.intro',
  application: 'field.application',
  application_short: 'field.application',
  advantages: 'field.advantages',
  substrate: 'field.substrate',
  limiting_factors: 'field.limiting_factors',
  datasheet: 'field.datasheet',
  safety_datasheet: 'field.safety_datasheet',
  declaration_of_performance: 'field.declaration_of_performance',
  documents: 'product.documents',
  image: 'field.image',
  banner: 'field.image',
  attributes: 'product.values',
  materials: 'product.materials',
} as const satisfies Record<Exclude<ProductField, 'gtin' | 'language' | 'abas_id'> | 'documents', StringKey>;

/** Returns the messages for invalid input in a number field, used by its script. */
export function readingTexts({ t }: Ui): Pick<NumberTexts, 'empty' | 'no_number' | 'ambiguous'> {
  return { empty: t('number.empty'), no_number: t('number.no_number'), ambiguous: t('number.ambiguous') };
}

/** Returns the messages for numbers that can't be calculated with. */
export function numberTexts(ui: Ui): NumberTexts {
  const { t } = ui;
  return {
    ...readingTexts(ui),
    positive: t('number.positive'),
    percent: t('number.percent'),
    joint: t('number.joint'),
  };
}
