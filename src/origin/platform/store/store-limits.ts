import { MAX_RESPONSE_BYTES } from '#contracts/index.ts';

/**
 * Maximum size of the rows of one statement. A page of 100 long texts exceeds 200 MB, and several of them at once
 * exhaust the memory.
 */
export const MAX_RESULT_BYTES = MAX_RESPONSE_BYTES;

/** Maximum size of a JSON value, unless its column has another limit. */
export const MAX_JSON_BYTES = 4 * 1024 * 1024;

/** Maximum size of stored file metadata. Lists contain 100 of them. */
export const MAX_MEDIA_DETAILS_BYTES = 100_000;

/** Custom SQLSTATEs in the class of exceeded limits. */
export const RESULT_TOO_LARGE = '54S01';
export const VALUE_TOO_LARGE = '54S02';

export const resultTooLarge = {
  code: RESULT_TOO_LARGE,
  message: `A statement returns more than ${MAX_RESULT_BYTES} bytes.`,
};

/** An exceeded limit of the store. `code` is an SQLSTATE. */
export class StoreLimitError extends Error {
  override readonly name = 'StoreLimitError';
  readonly code: string;

  constructor({ code, message }: { code: string; message: string }) {
    super(message);
    this.code = code;
  }
}
