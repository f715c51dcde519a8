import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { baseLanguage } from '#contracts/localized.ts';
import { formatProblems, getErrorMessage, parseValue, SortimentError } from '#contracts/index.ts';
import { z } from 'zod';

const FOLDER = 'content/search';

/**
 * Reads the synonyms of a language from the files of its region (`de-at.yaml`) and of the language (`de.yaml`). Missing
 * files are ignored.
 * @param root Project folder.
 * @throws SortimentError SYNONYMS_INVALID with every problem in the file.
 */
export function readSynonyms(root: string, language: string): Synonyms {
  const files = [...new Set([language, baseLanguage(language)])].map((id) => readFile(root, `${FOLDER}/${id}.yaml`));
  return { synonyms: files.flatMap(({ synonyms }) => synonyms), parts: files.flatMap(({ parts }) => parts) };
}

function readFile(root: string, file: string): Synonyms {
  const filePath = path.join(root, file);
  if (!existsSync(filePath)) return { synonyms: [], parts: [] };
  const parsed = parseValue(synonymsFile, readYaml(readFileSync(filePath, 'utf8'), file));
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

const term = z
  .string({ error: 'is not a word; quote values that YAML interprets otherwise, such as "no"' })
  .trim()
  .min(1, { error: 'is empty' });

/** Schema of `content/search/<language>.yaml`, with additional search terms of a language. */
const synonymsFile = z.strictObject({
  /** Groups of synonyms. */
  synonyms: z.array(
    z
      .array(term, { error: 'is not a list of words such as [Dampfbremse, Dampfsperre]' })
      .min(2, { error: 'has fewer than two words: a word alone has no synonym' }),
    { error: 'is not a list of groups' },
  ),
  /** Parts of compound words, such as `bremse` in `Dampfbremse`. */
  parts: z.array(term, { error: 'is not a list of words' }).default([]),
});

export type Synonyms = z.output<typeof synonymsFile>;
