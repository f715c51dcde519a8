import { MAX_RESPONSE_BYTES } from '#contracts/index.ts';

/**
 * Maximum size of the rows that one statement returns. A page of 100 long texts has more than 200 MB, and a few of
 * those at once end the process.
 */
export const MAX_RESULT_BYTES = MAX_RESPONSE_BYTES;

/** Maximum size of a JSON value, unless its column says otherwise. */
export const MAX_JSON_BYTES = 4 * 1024 * 1024;

/** Maximum size of what is stored of a file's metadata. Lists of media hold 100 of these. */
export const MAX_MEDIA_DETAILS_BYTES = 100_000;

/** SQLSTATEs of our own, in Postgres' class of exceeded limits. */
export const RESULT_TOO_LARGE = '54S01';
export const VALUE_TOO_LARGE = '54S02';

export const resultTooLarge = {
  code: RESULT_TOO_LARGE,
  message: `A statement returns more than ${MAX_RESULT_BYTES} bytes.`,
};

/** A limit of the store that was exceeded. `code` is an SQLSTATE. */
export class StoreLimitError extends Error {
  override readonly name = 'StoreLimitError';
  readonly code: string;

  constructor({ code, message }: { code: string; message: string }) {
    super(message);
    this.code = code;
  }
}
