import { existsSync } from 'node:fs';
import path from 'node:path';

/** A language that the site is built in and has no texts of its own for. */
export interface SilentLanguage {
  code: string;
  /** The file that its texts would be in. */
  file: string;
}

const FOLDER = 'content/strings';

/** @param codes The languages that are built. */
export function findSilentLanguages(root: string, codes: readonly string[]): SilentLanguage[] {
  const hasFile = (name: string) => existsSync(path.join(root, FOLDER, `${name}.json`));
  return codes.flatMap((code) => {
    const short = code.split('-')[0] ?? code;
    return hasFile(code) || hasFile(short) ? [] : [{ code, file: `${FOLDER}/${short}.json` }];
  });
}
