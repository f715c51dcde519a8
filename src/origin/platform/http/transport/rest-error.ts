import type { Caller } from '../callers/caller.ts';

/** A refusal, as the publishing interface words it on the wire: `{ code, message, data: { status, … } }`. */
export class RestError extends Error {
  override readonly name = 'RestError';
  readonly code: string;
  readonly status: number;
  readonly details: Readonly<Record<string, unknown>>;
  /** What else is to be said of the same code. */
  additionalData?: readonly unknown[];
  /** How long the caller should wait before the next try. */
  retryAfterSeconds?: number;

  constructor(code: string, status: number, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.details = details;
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

/** The caller may not: 401 for a stranger, who might sign in, and 403 for a user, for whom that would not help. */
export function refuse(caller: Caller, code: string, message: string): RestError {
  return new RestError(code, refusalStatus(caller), message);
}

export function refusalStatus(caller: Caller): 401 | 403 {
  return caller.user ? 403 : 401;
}
