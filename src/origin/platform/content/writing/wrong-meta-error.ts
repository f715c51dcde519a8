import { RestError } from '#origin/platform/http/transport/index.ts';

/** A value of `meta` is no text. Like servers of its kind, the interface says so after everything else is written. */
export function wrongMetaError(key: string): RestError {
  const param = `meta.${key}`;
  const error = new RestError('rest_invalid_type', 400, `${param} is not of type string.`);
  error.additionalData = [{ param }];
  return error;
}
