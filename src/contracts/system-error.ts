interface Words {
  what: string;
  hint: string;
  /** Nothing can be written, rather than that this one file can't. */
  isStorage?: true;
}

/** What to say of an error of the operating system: what happened, and what a person can do. */
const WORDS: Readonly<Record<string, Words>> = {
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
const SAME: Readonly<Record<string, string>> = { EPERM: 'EACCES', ENFILE: 'EMFILE', '53100': 'ENOSPC' };
/** How SQLite numbers them. */
const OF_SQLITE: Readonly<Record<number, string>> = { 8: 'EROFS', 10: 'EIO', 13: 'ENOSPC', 14: 'EACCES', 23: 'EACCES' };
/** How they are worded where only a text is left of them, such as by a database. */
const TEXTS: readonly (readonly [RegExp, string])[] = [
  [/\bno space left on device\b|\bENOSPC\b|database or disk is full/i, 'ENOSPC'],
  [/\bdisk quota exceeded\b|\bEDQUOT\b/i, 'EDQUOT'],
  [/\bread-only file system\b|\bEROFS\b|attempt to write a readonly database/i, 'EROFS'],
  [/\bEIO\b|disk I\/O error/i, 'EIO'],
  [/\bpermission denied\b|\bEACCES\b/i, 'EACCES'],
  [/\btoo many open files\b|\bEMFILE\b/i, 'EMFILE'],
];

export interface SystemError {
  /** As the operating system calls it: `ENOSPC`. */
  code: string;
  /** What happened and where, as the end of a sentence: `the disk is full: "/data/x"`. */
  why: string;
  /** The same as a sentence. */
  message: string;
  hint: string;
  /** The disk takes nothing more, whatever is to be written. */
  isStorage: boolean;
}

/** The words for an error that the disk, its rights or its limits caused; undefined for every other error. */
export function wordSystemError(error: unknown): SystemError | undefined {
  for (let cause: unknown = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth += 1) {
    const code = codeOf(cause);
    const words = code === undefined ? undefined : WORDS[code];
    if (code === undefined || words === undefined) continue;
    const path = 'path' in cause && typeof cause.path === 'string' ? `: "${cause.path}"` : '';
    const why = words.what + path;
    const message = `${why.charAt(0).toUpperCase()}${why.slice(1)}.`;
    return { code, why, message, hint: words.hint, isStorage: words.isStorage ?? false };
  }
  return undefined;
}

function codeOf(error: Error): string | undefined {
  const code = 'code' in error ? error.code : undefined;
  const errcode = 'errcode' in error ? error.errcode : undefined;
  if (typeof code === 'string' && (code in WORDS || code in SAME)) return SAME[code] ?? code;
  if (code === 'ERR_SQLITE_ERROR' && typeof errcode === 'number') return OF_SQLITE[errcode % 256];
  return TEXTS.find(([pattern]) => pattern.test(error.message))?.[1];
}
