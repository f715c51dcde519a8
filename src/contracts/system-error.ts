interface ErrorText {
  what: string;
  hint: string;
  /** True if no file can be written at all, not just this one. */
  isStorage?: true;
}

/** Descriptions of errors of the operating system, and remedies. */
const ERROR_TEXTS: Readonly<Record<string, ErrorText>> = {
  ENOSPC: {
    isStorage: true,
    what: 'the disk is full',
    hint: 'Free some space, or set SORTIMENT_HOME (for the origin DATA_DIR) to a folder on another disk.',
  },
  EDQUOT: {
    isStorage: true,
    what: 'the disk quota is used up',
    hint: 'Free some space, have the quota raised, or set SORTIMENT_HOME (for the origin DATA_DIR) to another disk.',
  },
  EROFS: {
    isStorage: true,
    what: 'the file system is read-only',
    hint: 'Set SORTIMENT_HOME (for the origin DATA_DIR) to a folder that can be written to, or mount this one writable.',
  },
  EIO: {
    isStorage: true,
    what: 'the disk does not read or write',
    hint: 'See whether it is full or damaged, or set SORTIMENT_HOME (for the origin DATA_DIR) to a folder on another disk.',
  },
  EACCES: {
    what: 'permission is denied',
    hint: 'Let the user who runs this read and write there, or set SORTIMENT_HOME (for the origin DATA_DIR) to another folder.',
  },
  EMFILE: {
    what: 'too many files are open',
    hint: 'Raise the limit of open files (ulimit -n 4096), then try again.',
  },
};
const ALIASES: Readonly<Record<string, string>> = { EPERM: 'EACCES', ENFILE: 'EMFILE', '53100': 'ENOSPC' };
/** SQLite result codes. */
const SQLITE_CODES: Readonly<Record<number, string>> = {
  8: 'EROFS',
  10: 'EIO',
  13: 'ENOSPC',
  14: 'EACCES',
  23: 'EACCES',
};
/** Messages of errors that carry only a text, such as those of a database. */
const MESSAGE_PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/\bno space left on device\b|\bENOSPC\b|database or disk is full/i, 'ENOSPC'],
  [/\bdisk quota exceeded\b|\bEDQUOT\b/i, 'EDQUOT'],
  [/\bread-only file system\b|\bEROFS\b|attempt to write a readonly database/i, 'EROFS'],
  [/\bEIO\b|disk I\/O error/i, 'EIO'],
  [/\bpermission denied\b|\bEACCES\b/i, 'EACCES'],
  [/\btoo many open files\b|\bEMFILE\b/i, 'EMFILE'],
];

export interface SystemError {
  /** Code of the operating system: `ENOSPC`. */
  code: string;
  /** Description and path, as the end of a sentence: `the disk is full: "/data/x"`. */
  why: string;
  /** Description as a sentence. */
  message: string;
  hint: string;
  /** True if the disk accepts no writes at all. */
  isStorage: boolean;
}

/** Describes an error caused by the disk, permissions or limits; undefined for other errors. */
export function describeSystemError(error: unknown): SystemError | undefined {
  for (let cause: unknown = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth += 1) {
    const code = codeOf(cause);
    const text = code === undefined ? undefined : ERROR_TEXTS[code];
    if (code === undefined || text === undefined) continue;
    const path = 'path' in cause && typeof cause.path === 'string' ? `: "${cause.path}"` : '';
    const why = text.what + path;
    const message = `${why.charAt(0).toUpperCase()}${why.slice(1)}.`;
    return { code, why, message, hint: text.hint, isStorage: text.isStorage ?? false };
  }
  return undefined;
}

function codeOf(error: Error): string | undefined {
  const code = 'code' in error ? error.code : undefined;
  const errcode = 'errcode' in error ? error.errcode : undefined;
  if (typeof code === 'string' && (code in ERROR_TEXTS || code in ALIASES)) return ALIASES[code] ?? code;
  if (code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number') return SQLITE_CODES[errcode % 256];
  return MESSAGE_PATTERNS.find(([pattern]) => pattern.test(error.message))?.[1];
}

const MEANINGS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no server answers there',
  ECONNRESET: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  EHOSTUNREACH: 'there is no way to that network',
  ENETUNREACH: 'there is no way to that network',
  ENOTFOUND: 'no server has that name',
  EAI_AGAIN: 'the name could not be looked up',
  CERT_HAS_EXPIRED: 'the certificate of the server has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate of the server is signed by itself only',
};

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
