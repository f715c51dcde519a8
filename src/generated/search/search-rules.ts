import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import type { SearchRules } from '#catalogue/search/search-file.ts';
import { formatProblems, getErrorMessage, parseValue, SortimentError } from '#contracts/index.ts';
import { baseLanguage } from '#contracts/localized.ts';

const FOLDER = 'content/search';

/**
 * Reads the search rules of a language from the files of its region (`de-at.yaml`) and of the language (`de.yaml`).
 * Missing files are ignored.
 * @param roots Folders with `content/search/`, whose rules all apply.
 * @throws SortimentError SYNONYMS_INVALID with every problem in the file.
 */
export function readSearchRules(roots: readonly string[], language: string): SearchRules {
  const files = [...new Set([language, baseLanguage(language)])].flatMap((id) =>
    roots.map((root) => readFile(root, `${FOLDER}/${id}.yaml`)),
  );
  return {
    synonyms: files.flatMap(({ synonyms }) => synonyms),
    parts: files.flatMap(({ parts }) => parts),
    ignored: files.flatMap(({ ignored }) => ignored),
  };
}

function readFile(root: string, file: string): SearchRules {
  const filePath = path.join(root, file);
  if (!existsSync(filePath)) return { synonyms: [], parts: [], ignored: [] };
  const parsed = parseValue(rulesFile, readYaml(readFileSync(filePath, 'utf8'), file));
  if (parsed.ok) return parsed.value;
  throw createSynonymsError(`${file} is invalid:\n${formatProblems(parsed.problems)}`);
}

function readYaml(text: string, file: string): unknown {
  try {
    return parse(text) ?? {};
  } catch (cause) {
    throw createSynonymsError(`${file} is not valid YAML: ${getErrorMessage(cause)}`, cause);
  }
}

function createSynonymsError(message: string, cause?: unknown): SortimentError {
  return new SortimentError('SYNONYMS_INVALID', message, {
    hint: 'Write each group of words below `synonyms:` as `- [Dampfbremse, Dampfsperre]`.',
    cause,
  });
}

const word = z
  .string({ error: 'is not a word; quote values that YAML interprets otherwise, such as "no"' })
  .trim()
  .min(1, { error: 'is empty' });

const wordList = z.array(word, { error: 'is not a list of words' }).default([]);

/** Schema of `content/search/<language>.yaml`. */
const rulesFile = z.strictObject({
  /** Groups of words that mean the same. */
  synonyms: z.array(
    z
      .array(word, { error: 'is not a list of words such as [Dampfbremse, Dampfsperre]' })
      .min(2, { error: 'has fewer than two words: a word alone has no synonym' }),
    { error: 'is not a list of groups' },
  ),
  /** Parts of compound words, such as `bremse` in `Dampfbremse`. */
  parts: wordList,
  /** Words that the search ignores, such as articles. */
  ignored: wordList,
});
