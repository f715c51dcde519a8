import { createHash } from 'node:crypto';

/** Members that servers compute for each response, independently of the record. */
const COMPUTED = new Set([
  '_links',
  'rendered',
  'link',
  'class_list',
  'permalink_template',
  'generated_slug',
  'custom_fields_html',
  'block_version',
  'count',
  'level',
  'avatar_urls',
  'author_avatar_urls',
  'capabilities',
  'extra_capabilities',
  'missing_image_sizes',
  'image_quality',
  'image_output_format',
  'image_save_progressive',
  'sizes',
]);

/** Digests a record independently of key order and computed members. */
export function digestRecord(wire: unknown): string {
  const text = JSON.stringify(wire, (key, value: unknown) => {
    if (COMPUTED.has(key)) return undefined;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
  return createHash('sha256').update(text).digest('base64url');
}
