import { COMMON_ERRORS, type CommonErrorCode, type ErrorStatus, type ErrorTable } from '#contracts/index.ts';
import type { Caller } from '../callers/caller.ts';

export interface ErrorOptions {
  /** Selects one of the code's statuses. @default the first */
  status?: number;
  details?: Readonly<Record<string, unknown>>;
  /** Further data for the same code. */
  additionalData?: readonly unknown[];
  /** Seconds until the client should retry. */
  retryAfterSeconds?: number;
}

/**
 * An error of the publishing interface: `{ code, message, data: { status, … } }`. Created by `errorFactory` only, so
 * that all codes are declared.
 */
export abstract class RestError extends Error {
  override readonly name = 'RestError';
  readonly code: string;
  readonly status: number;
  readonly options: ErrorOptions;

  constructor(code: string, status: number, message: string, options: ErrorOptions) {
    // The stack is never shown, and capturing it takes longer than everything else.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message);
    Error.stackTraceLimit = stackTraceLimit;
    this.code = code;
    this.status = status;
    this.options = options;
  }

  get body() {
    const { code, message, status } = this;
    const { details, additionalData } = this.options;
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
 * Creates an error with a declared or common code.
 *
 * A property type instead of a method, so that a factory with fewer codes isn't assignable to one with more.
 */
export type CreateRestError<Codes extends string = never> = (
  code: Codes | CommonErrorCode,
  message: string,
  options?: ErrorOptions,
) => RestError;

/** Creates an error factory for a table of codes and the common ones. The status may depend on the caller. */
export function errorFactory<T extends ErrorTable>(declared: T, caller: Caller): CreateRestError<keyof T & string> {
  const common: ErrorTable = COMMON_ERRORS;
  return (code, message, options = {}) => {
    let status: ErrorStatus = options.status ?? declared[code] ?? common[code] ?? 500;
    while (typeof status === 'object') status = status[0];
    return new DeclaredError(code, status === 'denied' ? deniedStatus(caller) : status, message, options);
  };
}

/** Creates an error with a common code before the route or the caller is known. */
export const createCommonError: CreateRestError = errorFactory({}, {});

/** Returns 401 for anonymous callers, who could sign in, and 403 for users. */
export function deniedStatus(caller: Caller): 401 | 403 {
  return caller.user ? 403 : 401;
}

/** A problem with one parameter. Without a code it is merely invalid. */
export interface ParameterProblem {
  name: string;
  code?: string;
  text: string;
  data?: Readonly<Record<string, unknown>>;
}

/** Combines all problems with the parameters of a request into one error. */
export function invalidParameters(problems: readonly ParameterProblem[]): RestError {
  const details = problems.flatMap(({ name, code, text, data }) =>
    code === undefined ? [] : [[name, { code, message: text, data: data ?? null }] as const],
  );
  return createCommonError(
    'rest_invalid_param',
    `These parameters are not valid: ${problems.map(({ name }) => name).join(', ')}`,
    {
      details: {
        params: Object.fromEntries(problems.map(({ name, text }) => [name, text])),
        details: details.length === 0 ? [] : Object.fromEntries(details),
      },
    },
  );
}
