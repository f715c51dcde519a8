import type { PublicChange } from '#model/change-entry.ts';

/** A change as one line: `changed 9524010000016 de-de DIFFRANA Vario 75: availability limited -> available, intro`. */
export function wordChange(change: PublicChange): string {
  const { kind, gtin, language, title } = change;
  const what = [change.change, kind === 'product' ? gtin : kind, language, title].filter(Boolean).join(' ');
  const fields = change.fields.map((field) => {
    const values = field === 'price' || field === 'availability' ? change[field] : undefined;
    return values ? `${field} ${values.before ?? 'none'} -> ${values.after ?? 'none'}` : field;
  });
  return fields.length > 0 ? `${what}: ${fields.join(', ')}` : what;
}
