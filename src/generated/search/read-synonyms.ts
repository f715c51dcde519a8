import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { baseLanguage } from '#contracts/base-language.ts';
import { formatProblems, getErrorMessage, parseValue, SortimentError } from '#contracts/index.ts';
import { synonymsFile, type Synonyms } from './synonyms-file.ts';

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
