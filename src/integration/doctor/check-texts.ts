import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Settings } from '../../config/index.ts';
import { isSortimentError } from '../../contracts/index.ts';
import { languageCodes } from '../../loaders/index.ts';
import { openSnapshot } from '../../snapshot/index.ts';
import { ok, skip, warn, type Finding } from './finding.ts';

const CHECK = 'Texts of the site';

/** Whether the site can speak all the languages that it has. */
export function checkTexts({ root, snapshotPath, options }: Settings): Finding {
  let codes: string[];
  try {
    const snapshot = openSnapshot(snapshotPath, { readOnly: true });
    codes = languageCodes(snapshot, options);
    snapshot.close();
  } catch (error) {
    if (isSortimentError(error)) return skip(CHECK, 'there is no snapshot that tells the languages');
    throw error;
  }
  const hasFile = (name: string) => existsSync(path.join(root, 'content/strings', `${name}.json`));
  const silent = codes.filter((code) => !hasFile(code) && !hasFile(code.split('-')[0] ?? code));
  if (silent.length === 0) return ok(CHECK, codes.join(', '));
  const files = silent.map((code) => `content/strings/${code.split('-')[0]}.json`).join(', ');
  return warn(CHECK, `pages in ${silent.join(', ')} speak ${options.mainLanguage}`, `Translate de.json into ${files}.`);
}
