import type { CHANGE_CLASSES } from '#config/hook-options.ts';
import type { Change } from '../report/sync-report.ts';

export type ChangeClass = (typeof CHANGE_CLASSES)[number];

/** Fields of a product that stand for a class of their own; the others are `text`. */
const CLASSES: Readonly<Record<string, ChangeClass>> = {
  price: 'price',
  availability: 'availability',
  image: 'media',
  banner: 'media',
  datasheet: 'documents',
  safety_datasheet: 'documents',
  declaration_of_performance: 'documents',
  attributes: 'attributes',
  materials: 'attributes',
};

/** What kind of change it is, one for each field that differs. */
export function classifyChange({ kind, id, change, fields }: Change): ChangeClass[] {
  if (change !== 'changed') return [change];
  if (kind === 'asset') return [/\.pdf(?:[?#]|$)/i.test(id) ? 'documents' : 'media'];
  if (kind !== 'product') return ['content'];
  return fields.map(({ field }) => CLASSES[field.split(/[.[]/, 1)[0] ?? ''] ?? 'text');
}
