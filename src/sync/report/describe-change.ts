import { displayUrl } from '#client/index.ts';
import { PRODUCT_FIELDS, unitOf } from '#contracts/product/index.ts';
import { normaliseDecimal, type ChangedFile, type StagedChange } from '#snapshot/index.ts';
import { diffFields } from './diff-fields.ts';
import type { Change, FieldChange } from './sync-report.ts';

/** Words a staged change for the report: what it is called, and which fields differ. */
export function describeChange(staged: StagedChange): Change {
  const { kind, language, change, before, after } = staged;
  const id = kind === 'asset' ? displayUrl(staged.id) : staged.id;
  const files = staged.files ?? [];
  const fields = change === 'changed' ? [...diffOf(kind, before, after), ...files.flatMap(diffOfFile)] : [];
  return { kind, id, language, name: nameOf(kind, after ?? before), change, fields };
}

function diffOf(kind: Change['kind'], before: unknown, after: unknown): FieldChange[] {
  if (kind === 'asset') return diffFields(shortDigest(before), shortDigest(after), 'content');
  const fields = diffFields(before, after);
  return kind === 'product' ? fields.filter(isProductChange) : fields;
}

function diffOfFile({ field, before, after }: ChangedFile): FieldChange[] {
  return diffFields(shortDigest(before), shortDigest(after), field);
}

function shortDigest(content: unknown): unknown {
  return typeof content === 'string' && /^[0-9a-f]{64}$/.test(content) ? content.slice(0, 12) : content;
}

/** Fields that the contract doesn't know aren't shown, and `"25.000"` is no other number than `25`. */
function isProductChange({ field, before, after }: FieldChange): boolean {
  const name = PRODUCT_FIELDS.find((known) => known === field.split(/[.[]/, 1)[0]);
  if (!name) return false;
  return !unitOf(name).unit || normaliseDecimal(String(before)) !== normaliseDecimal(String(after));
}

function nameOf(kind: Change['kind'], record: unknown): string {
  if (kind === 'asset' || typeof record !== 'object' || record === null) return '';
  if ('title' in record) return String(record.title);
  if ('name' in record) return String(record.name);
  if ('names' in record && typeof record.names === 'object') return String(Object.values(record.names ?? {})[0] ?? '');
  return '';
}
