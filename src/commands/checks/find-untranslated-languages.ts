import { existsSync } from 'node:fs';
import path from 'node:path';

/** A language of the site without its own texts. */
export interface UntranslatedLanguage {
  code: string;
  /** File for its texts. */
  file: string;
}

const FOLDER = 'content/strings';

/** @param codes Languages to build. */
export function findUntranslatedLanguages(root: string, codes: readonly string[]): UntranslatedLanguage[] {
  const hasFile = (name: string) => existsSync(path.join(root, FOLDER, `${name}.json`));
  return codes.flatMap((code) => {
    const short = code.split('-')[0] ?? code;
    return hasFile(code) || hasFile(short) ? [] : [{ code, file: `${FOLDER}/${short}.json` }];
  });
}
