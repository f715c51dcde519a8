import { COMMON_ERRORS, type CommonErrorCode, type ErrorStatus, type ErrorTable } from '#contracts/index.ts';
import type { Caller } from '../callers/caller.ts';

export interface ErrorOptions {
  /** Which of the code's statuses, where it has several. @default the first */
  status?: number;
  details?: Readonly<Record<string, unknown>>;
  additionalData?: readonly unknown[];
  retryAfterSeconds?: number;
}

/**
 * A refusal, as the publishing interface words it on the wire: `{ code, message, data: { status, … } }`. Only `refuser`
 * makes some, so that no code is sent which nobody declares.
 */
export abstract class RestError extends Error {
  override readonly name = 'RestError';
  readonly code: string;
  readonly status: number;
  readonly details: Readonly<Record<string, unknown>>;
  /** What else is to be said of the same code. */
  readonly additionalData: readonly unknown[] | undefined;
  /** How long the caller should wait before the next try. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: string, status: number, message: string, options: ErrorOptions) {
    // Where it was made is never told, and finding that out takes longer than all the rest.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.status = status;
    this.details = options.details ?? {};
    this.additionalData = options.additionalData;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get body() {
    const { code, message, status, details, additionalData } = this;
    return {
      code,
      message,
      data: { status, ...details },
      ...(additionalData ? { additional_data: additionalData } : {}),
    };
  }
}

class DeclaredError extends RestError {}

/**
 * Makes the refusal of a code that is declared or common. A property and no method, so that a caller who declares
 * fewer codes can't take the place of one who declares more.
 */
export type Refuse<Codes extends string = never> = (
  code: Codes | CommonErrorCode,
  message: string,
  options?: ErrorOptions,
) => RestError;

/** Makes refusals with the codes of a table and the common ones, each with its status for the caller. */
export function refuser<T extends ErrorTable>(declared: T, caller: Caller): Refuse<keyof T & string> {
  const table: ErrorTable = { ...COMMON_ERRORS, ...declared };
  return (code, message, options = {}) => {
    const status = options.status ?? statusFor(table[code] ?? 500, caller);
    return new DeclaredError(code, status, message, options);
  };
}

/** A refusal before anybody knows the route or the caller. */
export const refuseCommon: Refuse = refuser({}, {});

function statusFor(status: ErrorStatus, caller: Caller): number {
  if (status === 'denied') return refusalStatus(caller);
  return typeof status === 'number' ? status : statusFor(status[0], caller);
}

/** 401 for a stranger, who might sign in, and 403 for a user, for whom that would not help. */
export function refusalStatus(caller: Caller): 401 | 403 {
  return caller.user ? 403 : 401;
}
