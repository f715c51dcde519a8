import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { demoSite } from '#origin/admin/seed/demo-content.ts';

const FOLDER = join(import.meta.dirname, '../../../content/demo');

const text = z.string().min(1);
const texts = z.array(text);

/** What stands on every document: its kind, a sentence in its foot, and `Page {page} of {pages}`. */
const page = { kind: text, note: text, page: text };

const datasheet = z.strictObject({
  ...page,
  itemNumber: text,
  tradeUnit: text,
  asOf: text,
  application: text,
  advantages: text,
  substrate: text,
  limits: text,
  properties: text,
  property: text,
  norm: text,
  value: text,
  materials: text,
  dimensions: text,
  /** Names of the dimensions, in the order length, width, height, area, joint, weight. */
  sizes: texts.length(6),
  packaging: text,
  /** `{count} × {unit} per {packaging}` */
  per: text,
  delivery: text,
  folded: text,
});

const declaration = z.strictObject({
  ...page,
  mark: text,
  stamp: text,
  number: text,
  /** The ten points of a declaration (Regulation (EU) No 305/2011, Annex III). */
  points: texts.length(10),
  none: text,
  batch: text,
  notified: text,
  characteristic: text,
  performance: text,
  method: text,
  /** With `{norm}`. */
  harmonised: text,
  /** With `{number}`. */
  system: text,
  conformity: text,
  signed: text,
});

const safetySection = z.strictObject({ heading: text, text: texts, hybrid: texts.optional(), foam: texts.optional() });

const safetyDatasheet = z.strictObject({
  ...page,
  mark: text,
  stamp: text,
  version: text,
  /** What stands around the hazard statements of section 2. */
  label: z.strictObject({
    unclassified: text,
    danger: text,
    warning: text,
    signal: text,
    pictograms: text,
    diisocyanates: text,
  }),
  /**
   * The sixteen sections of a safety datasheet (Regulation (EC) No 1907/2006, Annex II), in their order. `{name}`,
   * `{item}` and `{use}` stand for the product's own; a section may differ by chemistry.
   */
  sections: z.array(safetySection).length(16),
});

export type DatasheetWords = z.output<typeof datasheet>;
export type SafetyWords = z.output<typeof safetyDatasheet>;
export type SafetySection = z.output<typeof safetySection>;
/** Chemistry that a safety datasheet speaks of. */
export type Chemistry = 'dispersion' | 'hybrid' | 'foam';

/** What documents say besides the texts of their products, for a language code such as `de-de`; English where there is nothing. */
export const datasheetWords = wordsOf('datasheet', datasheet);
export const declarationWords = wordsOf('declaration', declaration);
export const safetyWords = wordsOf('safety-datasheet', safetyDatasheet);

/** The maker as its documents name it. */
export const { maker: MAKER } = demoSite.parse(readYaml('site.yaml'));

/** Puts values where a text names them: `Page {page} of {pages}`. */
export function fill(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

function wordsOf<T extends z.ZodType>(name: string, schema: T): (language: string) => z.output<T> {
  const words = z.record(z.enum(['de', 'en', 'fr']), schema).parse(readYaml(`documents/${name}.yaml`));
  const byLanguage: Readonly<Record<string, z.output<T>>> = words;
  return (language) => byLanguage[language.slice(0, 2)] ?? words.en;
}

function readYaml(name: string): unknown {
  return parse(readFileSync(join(FOLDER, name), 'utf8'));
}
