import { countedPackages, type PackagedProduct } from '#catalogue/products/product-view.ts';
import { type ProductNeed } from '#catalogue/quantities/calculator-products.ts';
import {
  COMMON_AMOUNTS,
  COMMON_JOINTS,
  isWithinJointWidth,
  jointsFor,
  jointUse,
  coveredAmount,
  unitsFor,
  type MaterialNeed,
  countUnits,
  formatNeed,
} from '#catalogue/quantities/material-need.ts';
import type { Ui } from '#i18n/index.ts';

/** Joint length of the table for joints and beads. */
const SAMPLE_LENGTH = '100';

/**
 * Returns a table of typical quantities, and a note with its assumptions. The first cell of each row is its header; the
 * last has units in the language of the record.
 */
export function needTable(need: MaterialNeed, product: Ordered, ui: Ui) {
  const note = `${assumption(need, ui)} ${ui.t('need.rounded')}`;
  return { ...(need.use === undefined ? jointRows(need, product, ui) : amountRows(need, need.use, product, ui)), note };
}

type Ordered = PackagedProduct & Pick<ProductNeed['product'], 'language'>;

function amountRows(need: MaterialNeed, use: string, product: Ordered, ui: Ui) {
  return {
    heads: [ui.t(need.unit === 'm²' ? 'need.area' : 'need.length'), ui.t('need.needed')],
    rows: COMMON_AMOUNTS.map((amount) => [
      ui.formats.measure(amount, need.unit),
      orderOf(unitsFor(need, amount, use), need, product, ui),
    ]),
  };
}

function jointRows(need: MaterialNeed, product: Ordered, ui: Ui) {
  const { t, formats } = ui;
  const amount = formats.measure(SAMPLE_LENGTH, need.unit);
  return {
    heads: [
      t('need.joint'),
      t('need.per_metre'),
      t('need.reach', { unit: product.trade_unit || t('field.trade_unit') }),
      t('need.for', { amount }),
    ],
    rows: jointsFor(need).map((joint) => {
      const use = jointUse(joint);
      return [
        `${formats.decimal(joint.width)} × ${formats.measure(joint.depth, 'mm')}`,
        formats.measure(use, need.contentUnit),
        formats.measure(coveredAmount(need, use), need.unit),
        orderOf(unitsFor(need, SAMPLE_LENGTH, use), need, product, ui),
      ];
    }),
  };
}

/** Formats the required units: `2 rolls (150 m²)`, in the language of the record. */
function orderOf(units: number, need: MaterialNeed, product: Ordered, ui: Ui): string {
  const unit = (word: string) => ui.unit(word, product.language);
  const packages = countedPackages(product, unit);
  return formatNeed(units, need, { unit: unit(product.trade_unit), packages }, ui.formats);
}

function assumption({ kind, use = '', contentUnit, diameter, allowance }: MaterialNeed, { t, formats }: Ui): string {
  const values = { percent: formats.percent(allowance), use: formats.measure(use || '0', contentUnit) };
  return kind === 'bead' && diameter !== undefined
    ? t('need.assumed.bead', { ...values, size: formats.measure(diameter, 'mm') })
    : t(`need.assumed.${kind}`, values);
}

/** Returns the tables of typical quantities of several products: one for each kind of calculation. */
export function overviewTables(calculated: readonly ProductNeed[], ui: Ui) {
  const groups = Map.groupBy(
    calculated,
    ({ need }) => `${need.kind} ${need.unit} ${need.allowance} ${need.diameter} ${need.use}`,
  );
  return [...groups.values()].flatMap((group) => {
    const need = group[0]?.need;
    if (!need) return [];
    const { heads, cellsOf } = need.use === undefined ? jointOverview(ui) : amountOverview(need, need.use, ui);
    return {
      heads: [ui.t('field.name'), ...heads],
      rows: group.map(({ product, need }) => ({ product, cells: cellsOf(need, product) })),
      note: `${assumption(need, ui)} ${ui.t('need.rounded')}`,
    };
  });
}

interface Overview {
  heads: string[];
  cellsOf: (need: MaterialNeed, product: Ordered) => string[];
}

function amountOverview({ unit }: MaterialNeed, use: string, ui: Ui): Overview {
  return {
    heads: COMMON_AMOUNTS.map((amount) => ui.formats.measure(amount, unit)),
    cellsOf: (need, product) =>
      COMMON_AMOUNTS.map((amount) =>
        countUnits(unitsFor(need, amount, use), ui.unit(product.trade_unit, product.language), ui.formats),
      ),
  };
}

function jointOverview({ formats }: Ui): Overview {
  return {
    heads: COMMON_JOINTS.map(({ width, depth }) => `${formats.decimal(width)} × ${formats.measure(depth, 'mm')}`),
    cellsOf: (need) =>
      COMMON_JOINTS.map((joint) =>
        isWithinJointWidth(need, joint) ? formats.measure(coveredAmount(need, jointUse(joint)), need.unit) : '–',
      ),
  };
}
