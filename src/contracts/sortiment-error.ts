import errors from './system-errors.json' with { type: 'json' };

/** Creates the error for a failure to listen on a port: PORT_TAKEN, PORT_REFUSED. */
export function portError(cause: Error, host: string, port: number): SortimentError {
  const code = 'code' in cause ? cause.code : undefined;
  if (code === 'EADDRINUSE') {
    return new SortimentError('PORT_TAKEN', `Port ${port} on ${host} is used by another program.`, {
      hint: `Stop that program, or choose another port: --port ${port + 1}.`,
      cause,
    });
  }
  if (code === 'EACCES') {
    return new SortimentError('PORT_REFUSED', `Port ${port} on ${host} can't be opened: permission denied.`, {
      hint: 'Choose a port above 1023 with --port; lower ones require special permissions.',
      cause,
    });
  }
  return new SortimentError('PORT_REFUSED', `Listening on ${host}, port ${port} failed: ${cause.message}.`, {
    hint: 'Choose another port or host with --port or --host.',
    cause,
  });
}

export interface SortimentErrorOptions {
  /** Imperative that names the setting to change: "Set PRODUCT_API_TOKEN in the environment." */
  hint?: string | undefined;
  cause?: unknown;
}

/**
 * Base class of all user-facing errors. `message` states what, where and why, `hint` the remedy. `code` is a stable
 * identifier in upper snake case.
 */
export class SortimentError extends Error {
  override readonly name: string = 'SortimentError';
  readonly code: string;
  readonly hint: string | undefined;

  constructor(code: string, message: string, options: SortimentErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
  }
}

/** True for a SortimentError. Works across module realms, unlike `instanceof`: the build bundles some modules twice. */
export function isSortimentError(error: unknown): error is SortimentError {
  return error instanceof Error && 'code' in error && 'hint' in error && typeof error.code === 'string';
}

export function getErrorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

interface ErrorText {
  what: string;
  hint: string;
  /** True if no file can be written at all, not just this one. */
  isStorage?: boolean;
}

/** Descriptions of errors of the operating system, and remedies. */
const ERROR_TEXTS: Readonly<Record<string, ErrorText>> = errors.texts;
const ALIASES: Readonly<Record<string, string>> = errors.aliases;
const SQLITE_CODES: Readonly<Record<string, string>> = errors.sqlite;
/** Messages of errors that carry only a text, such as those of a database. */
const MESSAGE_PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/\bno space left on device\b|\bENOSPC\b|database or disk is full/i, 'ENOSPC'],
  [/\bdisk quota exceeded\b|\bEDQUOT\b/i, 'EDQUOT'],
  [/\bread-only file system\b|\bEROFS\b|attempt to write a readonly database/i, 'EROFS'],
  [/\bEIO\b|disk I\/O error/i, 'EIO'],
  [/\bpermission denied\b|\bEACCES\b/i, 'EACCES'],
  [/\btoo many open files\b|\bEMFILE\b/i, 'EMFILE'],
];

/** Returns the code of a system error, such as `ENOENT`. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/**
 * Describes an error caused by the disk, permissions or limits; undefined for other errors.
 *
 * @returns the code of the operating system, `ENOSPC`; the cause as the end of a sentence, `the disk is full:
 *   "/data/x"`, and as a sentence; a hint; `isStorage` if the disk accepts no writes at all
 */
export function describeSystemError(error: unknown) {
  for (let cause: unknown = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth += 1) {
    const code = describedCode(cause);
    const text = code === undefined ? undefined : ERROR_TEXTS[code];
    if (code === undefined || text === undefined) continue;
    const path = 'path' in cause && typeof cause.path === 'string' ? `: "${cause.path}"` : '';
    const why = text.what + path;
    const message = `${why.charAt(0).toUpperCase()}${why.slice(1)}.`;
    return { code, why, message, hint: text.hint, isStorage: text.isStorage ?? false };
  }
  return undefined;
}

function describedCode(error: Error): string | undefined {
  const code = 'code' in error ? error.code : undefined;
  const errcode = 'errcode' in error ? error.errcode : undefined;
  if (typeof code === 'string' && (code in ERROR_TEXTS || code in ALIASES)) return ALIASES[code] ?? code;
  if (code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number') return SQLITE_CODES[errcode % 256];
  return MESSAGE_PATTERNS.find(([pattern]) => pattern.test(error.message))?.[1];
}

const MEANINGS: Readonly<Record<string, string>> = errors.network;

/**
 * True for timeouts of the operating system (`ETIMEDOUT`) and of the HTTP client (`UND_ERR_HEADERS_TIMEOUT` and
 * others).
 */
export function isTimeoutCode(code: string): boolean {
  return /TIMEOUT|TIMEDOUT/.test(code);
}

/** Describes the code of a network error: `no server answers there (ECONNREFUSED)`. */
export function describeNetworkError(code: string): string {
  const meaning = isTimeoutCode(code) ? 'timed out' : MEANINGS[code];
  return meaning === undefined ? code : `${meaning} (${code})`;
}
