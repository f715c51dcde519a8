/** What to say of an error of the operating system: what happened, and what a person can do. */
const WORDS: Readonly<Record<string, { what: string; hint: string }>> = {
  ENOSPC: {
    what: 'The disk is full',
    hint: 'Free some space, or set SORTIMENT_HOME (for the origin DATA_DIR) to a folder on another disk.',
  },
  EDQUOT: {
    what: 'The disk quota is used up',
    hint: 'Free some space, have the quota raised, or set SORTIMENT_HOME (for the origin DATA_DIR) to another disk.',
  },
  EROFS: {
    what: 'The file system is read-only',
    hint: 'Set SORTIMENT_HOME (for the origin DATA_DIR) to a folder that can be written to, or mount this one writable.',
  },
  EACCES: {
    what: 'Permission is denied',
    hint: 'Let the user who runs this read and write there, or set SORTIMENT_HOME (for the origin DATA_DIR) to another folder.',
  },
  EMFILE: {
    what: 'Too many files are open',
    hint: 'Raise the limit of open files (ulimit -n 4096), then try again.',
  },
};
const SAME: Readonly<Record<string, string>> = { EPERM: 'EACCES', ENFILE: 'EMFILE', '53100': 'ENOSPC' };
/** How SQLite numbers them. */
const OF_SQLITE: Readonly<Record<number, string>> = { 8: 'EROFS', 13: 'ENOSPC', 23: 'EACCES' };
/** How they are worded where only a text is left of them, such as by a database. */
const TEXTS: readonly (readonly [RegExp, string])[] = [
  [/\bno space left on device\b|\bENOSPC\b|database or disk is full/i, 'ENOSPC'],
  [/\bdisk quota exceeded\b|\bEDQUOT\b/i, 'EDQUOT'],
  [/\bread-only file system\b|\bEROFS\b|attempt to write a readonly database/i, 'EROFS'],
  [/\bpermission denied\b|\bEACCES\b/i, 'EACCES'],
  [/\btoo many open files\b|\bEMFILE\b/i, 'EMFILE'],
];

export interface WordedError {
  code: string;
  message: string;
  hint: string;
}

/** The words for an error that the disk, its rights or its limits caused; undefined for every other error. */
export function wordSystemError(error: unknown): WordedError | undefined {
  for (let cause: unknown = error, depth = 0; cause instanceof Error && depth < 8; cause = cause.cause, depth += 1) {
    const code = codeOf(cause);
    const words = code === undefined ? undefined : WORDS[code];
    if (code === undefined || words === undefined) continue;
    const path = 'path' in cause && typeof cause.path === 'string' ? `: "${cause.path}"` : '';
    return { code, message: `${words.what}${path}.`, hint: words.hint };
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
