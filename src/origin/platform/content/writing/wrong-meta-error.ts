import type { AnyCall, RestError } from '#origin/platform/http/transport/index.ts';

/** A value of `meta` is no text. Like servers of its kind, the interface says so after everything else is written. */
export function wrongMetaError(key: string, { refuse }: AnyCall<'rest_invalid_type'>): RestError {
  const param = `meta.${key}`;
  return refuse('rest_invalid_type', `${param} is not of type string.`, { additionalData: [{ param }] });
}
