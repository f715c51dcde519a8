import {
  COMMON_AMOUNTS,
  COMMON_JOINTS,
  jointUse,
  packsFor,
  reachOf,
  unitsFor,
  type MaterialNeed,
} from '../../catalogue/quantities/material-need.ts';
import { packagesOf, type Packaged } from '../../catalogue/products/packages-of.ts';
import type { ReckonedProduct } from '../../catalogue/quantities/calculator-products.ts';
import type { Ui } from '../../i18n/index.ts';

export interface NeedTable {
  /** `isWord` where the record's own word for a unit heads a column, in the language of the record. */
  heads: { text: string; isWord: boolean }[];
  /** The first of each row heads it. */
  rows: string[][];
  /** What was assumed. */
  note: string;
}

/** Length for which a table says how much joints and beads take. */
const SAMPLE_LENGTH = '100';

/** How much of a product common jobs take, written out. */
export function needTable(need: MaterialNeed, product: Packaged, ui: Ui): NeedTable {
  const note = `${assumption(need, ui)} ${ui.t('need.rounded')}`;
  return { ...(need.use === undefined ? jointRows(need, product, ui) : amountRows(need, need.use, product, ui)), note };
}

function amountRows(need: MaterialNeed, use: string, product: Packaged, ui: Ui): Pick<NeedTable, 'heads' | 'rows'> {
  const packages = packagesOf(product);
  return {
    heads: [
      ours(ui.t(need.unit === 'm²' ? 'need.area' : 'need.length')),
      unitHead(product, ui),
      ...packages.map(({ unit, quantity }) => ({
        text: `${unit} (${times(ui.formats.decimal(quantity), product.trade_unit)})`,
        isWord: true,
      })),
    ],
    rows: COMMON_AMOUNTS.map((amount) => {
      const units = unitsFor(need, amount, use);
      return [
        ui.formats.measure(amount, need.unit),
        ui.formats.count(units),
        ...packages.map(({ quantity }) => ui.formats.count(packsFor(units, quantity))),
      ];
    }),
  };
}

function jointRows(need: MaterialNeed, product: Packaged, ui: Ui): Pick<NeedTable, 'heads' | 'rows'> {
  const { t, formats } = ui;
  const amount = formats.measure(SAMPLE_LENGTH, need.unit);
  return {
    heads: [
      ours(t('need.joint')),
      ours(t('need.per_metre')),
      ours(t('need.reach', { unit: product.trade_unit || t('field.trade_unit') })),
      ours(t('need.for', { amount })),
    ],
    rows: COMMON_JOINTS.map((joint) => {
      const use = jointUse(joint);
      return [
        `${formats.decimal(joint.width)} × ${formats.measure(joint.depth, 'mm')}`,
        formats.measure(use, need.contentUnit),
        formats.measure(reachOf(need, use), need.unit),
        times(formats.count(unitsFor(need, SAMPLE_LENGTH, use)), product.trade_unit),
      ];
    }),
  };
}

function assumption({ kind, use = '', contentUnit, diameter, allowance }: MaterialNeed, { t, formats }: Ui): string {
  const values = { percent: formats.percent(allowance), use: formats.measure(use || '0', contentUnit) };
  return kind === 'bead' && diameter !== undefined
    ? t('need.assumed.bead', { ...values, size: formats.measure(diameter, 'mm') })
    : t(`need.assumed.${kind}`, values);
}

export interface OverviewTable {
  heads: string[];
  rows: { product: ReckonedProduct['product']; cells: string[] }[];
  note: string;
}

/** What common jobs take of several products: a table for each way to reckon. */
export function overviewTables(reckoned: readonly ReckonedProduct[], ui: Ui): OverviewTable[] {
  const groups = Map.groupBy(
    reckoned,
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
  cellsOf: (need: MaterialNeed, product: Packaged) => string[];
}

function amountOverview({ unit }: MaterialNeed, use: string, { formats }: Ui): Overview {
  return {
    heads: COMMON_AMOUNTS.map((amount) => formats.measure(amount, unit)),
    cellsOf: (need, product) =>
      COMMON_AMOUNTS.map((amount) => times(formats.count(unitsFor(need, amount, use)), product.trade_unit)),
  };
}

function jointOverview({ formats }: Ui): Overview {
  return {
    heads: COMMON_JOINTS.map(({ width, depth }) => `${formats.decimal(width)} × ${formats.measure(depth, 'mm')}`),
    cellsOf: (need) => COMMON_JOINTS.map((joint) => formats.measure(reachOf(need, jointUse(joint)), need.unit)),
  };
}

function unitHead({ trade_unit }: Packaged, { t }: Ui): NeedTable['heads'][number] {
  return trade_unit ? { text: trade_unit, isWord: true } : ours(t('field.trade_unit'));
}

function ours(text: string): NeedTable['heads'][number] {
  return { text, isWord: false };
}

/** `3 × Rolle`. */
function times(count: string, unit: string): string {
  return unit ? `${count} × ${unit}` : count;
}
