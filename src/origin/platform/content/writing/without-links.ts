import type { AnyCall } from '#origin/platform/http/transport/index.ts';

/**
 * How something was that is gone, as deletions answer it: without links, which would lead nowhere. Its id may be
 * asked for as `previous.id`. What is left empty prints as a list.
 */
export function withoutLinks(shown: Record<string, unknown>, id: number, { fields }: Pick<AnyCall, 'fields'>): unknown {
  const { _links, ...previous } = shown;
  if (fields.wants('previous.id')) previous['id'] = id;
  return Object.keys(previous).length === 0 ? [] : previous;
}
