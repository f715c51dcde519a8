/**
 * HTTP status of an error code. `denied` is 401 for anonymous callers, who might sign in, and 403 for signed-in users.
 * The first of several statuses is the default.
 */
export type ErrorStatus = number | 'denied' | readonly [ErrorStatus, ...ErrorStatus[]];

export type ErrorTable = Readonly<Record<string, ErrorStatus>>;

/** Errors of every route, in addition to its own: transport, validation and sign-in. */
export const COMMON_ERRORS = {
  rest_no_route: 404,
  rest_missing_callback_param: 400,
  rest_invalid_param: 400,
  rest_invalid_json: 400,
  rest_body_too_large: 413,
  rest_response_too_large: 400,
  rest_upload_file_too_big: [413, 400],
  rest_callback_disabled: 400,
  rest_callback_invalid: 400,
  rest_forbidden: 'denied',
  rest_not_logged_in: 401,
  incorrect_password: 401,
  rest_cookie_invalid_nonce: 403,
  rest_too_many_attempts: 429,
  internal_server_error: 500,
  insufficient_storage: 507,
} as const satisfies ErrorTable;

export type CommonErrorCode = keyof typeof COMMON_ERRORS;

/** Returns a function that picks errors of a namespace by their codes. */
export function errorPicker<const T extends ErrorTable>(table: T) {
  return <Code extends keyof T & string>(...codes: Code[]): Pick<T, Code> => {
    const chosen: Partial<T> = {};
    for (const code of codes) chosen[code] = table[code];
    return chosen as Pick<T, Code>;
  };
}
