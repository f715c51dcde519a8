import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { baseLanguage } from '#contracts/base-language.ts';
import { formatProblems, messageOf, readValue, SortimentError } from '#contracts/index.ts';
import { synonymsFile, type Synonyms } from './synonyms-file.ts';

const FOLDER = 'content/search';

/**
 * The synonyms of a language: those of its region (`de-at.yaml`) and those of the language (`de.yaml`), as far as there
 * are such files.
 * @param root The project's folder.
 * @throws SortimentError SYNONYMS_INVALID, which names every problem in the file.
 */
export function readSynonyms(root: string, language: string): Synonyms {
  const files = [...new Set([language, baseLanguage(language)])].map((id) => readFile(root, `${FOLDER}/${id}.yaml`));
  return { synonyms: files.flatMap(({ synonyms }) => synonyms), parts: files.flatMap(({ parts }) => parts) };
}

function readFile(root: string, file: string): Synonyms {
  const place = path.join(root, file);
  if (!existsSync(place)) return { synonyms: [], parts: [] };
  const reading = readValue(synonymsFile, readYaml(readFileSync(place, 'utf8'), file));
  if (reading.ok) return reading.value;
  throw invalid(`The synonyms in ${file} can't be used:\n${formatProblems(reading.problems)}`);
}

function readYaml(text: string, file: string): unknown {
  try {
    return parse(text) ?? {};
  } catch (cause) {
    throw invalid(`${file} is not valid YAML: ${messageOf(cause)}`, cause);
  }
}

function invalid(message: string, cause?: unknown): SortimentError {
  return new SortimentError('SYNONYMS_INVALID', message, {
    hint: 'Write groups of words below `synonyms:`, each as `- [Dampfbremse, Dampfsperre]`.',
    cause,
  });
}
