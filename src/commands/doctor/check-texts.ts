import type { Settings } from '#config/index.ts';
import { isSortimentError } from '#contracts/index.ts';
import { languageCodes } from '#product-index/site-languages.ts';
import { openSnapshot } from '#snapshot/index.ts';
import { findSilentLanguages } from '../checks/find-silent-languages.ts';
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
  const silent = findSilentLanguages(root, codes);
  if (silent.length === 0) return ok(CHECK, codes.join(', '));
  const names = silent.map(({ code }) => code).join(', ');
  const files = silent.map(({ file }) => file).join(', ');
  return warn(CHECK, `pages in ${names} speak ${options.mainLanguage}`, `Translate the texts of it into ${files}.`);
}
