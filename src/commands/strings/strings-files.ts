import path from 'node:path';
import { formatProblems, getErrorMessage, parseValue, SortimentError } from '#contracts/index.ts';
import { baseLanguage } from '#contracts/localized.ts';
import { readContent, type Content } from '#files/content-files.ts';
import { replaceFile } from '#files/replace-file.ts';
import {
  dictionary,
  findDictionaryGaps,
  markUntranslated,
  REFERENCE_LANGUAGE,
  requiredKeys,
  resolveStrings,
  type Dictionaries,
} from '#i18n/index.ts';

/** Folder of the texts in a project. */
export const STRINGS_FOLDER = 'content/strings';

/**
 * Compares the texts of all languages with those that pages use. Languages without gaps are left out.
 *
 * @returns Keys without a text, for which pages show another language, and superfluous keys that no page uses.
 */
export function findStringsGaps(root: string) {
  const dictionaries = parseDictionaries(readTexts(root));
  const gaps = new Map(findDictionaryGaps(dictionaries).map(({ id, unknown }) => [id, unknown]));
  return Object.entries(dictionaries)
    .map(([language, texts]) => {
      const required = language.includes('-') ? [] : requiredKeys(referenceKeys(dictionaries), language);
      const missing = required.filter((key) => !(key in texts));
      return { language, missing, superfluous: gaps.get(language) ?? [] };
    })
    .filter(({ missing, superfluous }) => missing.length + superfluous.length > 0);
}

/**
 * Writes the texts that a language lacks into its file, in the main language and marked as untranslated.
 *
 * @returns Path of the file in the project, and the numbers of added texts and of those that are to be translated.
 */
export async function addStrings(root: string, code: string, mainLanguage: string) {
  const language = baseLanguage(code);
  const contents = readTexts(root);
  const dictionaries = parseDictionaries(contents);
  const required = requiredKeys(referenceKeys(dictionaries), language);
  const untranslated = required.filter((key) => !(key in (dictionaries[language] ?? {})));
  const file = path.join(STRINGS_FOLDER, `${untranslated.length === 0 ? code : language}.json`);
  const present = contents.get(language)?.data ?? {};
  const added = untranslated.filter((key) => !(key in present));
  const main = resolveStrings(dictionaries, mainLanguage, REFERENCE_LANGUAGE);
  const texts = required.map((key) => {
    const text = main.texts[key] ?? main.texts[key.replace(/\.\w+$/, '.other')] ?? key;
    return [key, present[key] ?? markUntranslated(text, baseLanguage(main.language))];
  });
  if (added.length > 0)
    await replaceFile(
      path.join(root, file),
      `${JSON.stringify({ ...Object.fromEntries(texts), ...present }, undefined, 2)}\n`,
    );
  return { language, file, added: added.length, untranslated: untranslated.length };
}

function parseDictionaries(contents: ReadonlyMap<string, Content>): Dictionaries {
  return Object.fromEntries(
    Array.from(contents, ([id, { data, file }]) => {
      const parsed = parseValue(dictionary, data);
      if (!parsed.ok) throw createInvalidError(`${file} has a problem:\n${formatProblems(parsed.problems)}`);
      return [id, parsed.value];
    }),
  );
}

function readTexts(root: string): Map<string, Content> {
  try {
    return readContent(root, STRINGS_FOLDER, '.json');
  } catch (error) {
    throw createInvalidError(getErrorMessage(error));
  }
}

function createInvalidError(message: string): SortimentError {
  return new SortimentError('CONFIG_INVALID', message, { hint: 'Correct the file: its values are texts by key.' });
}

const referenceKeys = (dictionaries: Dictionaries): string[] => Object.keys(dictionaries[REFERENCE_LANGUAGE] ?? {});
