import { entryData } from '#catalogue/read-model/with-snapshot.ts';
import { z } from 'zod';
import { close, createIndex, type PagefindIndex } from 'pagefind';
import { productPath } from '#catalogue/addresses/paths.ts';
import type { SearchKind, SearchMeta } from '#catalogue/addresses/site-paths.ts';
import { imageVariants } from '#catalogue/images/image-variants.ts';
import { SEARCHED_FIELDS } from '#catalogue/products/listed-product.ts';
import { htmlText } from '#contracts/html/html-text.ts';
import {
  cleanText,
  cleanTexts,
  SortimentError,
  formatProblems,
  getErrorMessage,
  parseValue,
} from '#contracts/index.ts';
import { pickLocalized, baseLanguage } from '#contracts/localized.ts';
import { toBcp47 } from '#contracts/product/index.ts';
import type { HashPart } from '#files/hash-parts.ts';
import { type ProductListEntry, type ProductEntry, episodeEntry } from '#catalogue/entries/entries.ts';
import { createTranscriptReader } from '#catalogue/read-model/product-readers.ts';
import { findHiddenPaths } from '#catalogue/read-model/project-heads.ts';
import { projectEpisodes } from '#catalogue/read-model/project-podcast.ts';
import type { GeneratorContext } from '../generator.ts';
import { foldText, transliterate } from '#catalogue/languages/fold-text.ts';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

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

const synonym = z
  .string({ error: 'is not a word; quote values that YAML interprets otherwise, such as "no"' })
  .trim()
  .min(1, { error: 'is empty' });

/** Schema of `content/search/<language>.yaml`, with additional search terms of a language. */
const synonymsFile = z.strictObject({
  /** Groups of synonyms. */
  synonyms: z.array(
    z
      .array(synonym, { error: 'is not a list of words such as [Dampfbremse, Dampfsperre]' })
      .min(2, { error: 'has fewer than two words: a word alone has no synonym' }),
    { error: 'is not a list of groups' },
  ),
  /** Parts of compound words, such as `bremse` in `Dampfbremse`. */
  parts: z.array(synonym, { error: 'is not a list of words' }).default([]),
});

type Synonyms = z.output<typeof synonymsFile>;

/** Shorter terms such as `UV` only match whole words. */
const MIN_PREFIX_CHARACTERS = 5;

/**
 * Creates a function that returns additional search terms for a text. Long texts repeat most words, so each distinct
 * word is checked once. The complete text is only searched for terms of several words.
 */
export function createTextExpander({ synonyms: groups, parts }: Synonyms): (text: string) => string {
  const foldedParts = parts.map(foldText);
  const terms = groups.map((group) => group.map((term) => ({ term, ...matcherOf(term) })));
  return (text) => {
    const distinctWords = [...new Set(text.split(/\s+/))].join(' ');
    const folded = foldText(distinctWords);
    let whole: string | undefined;
    const within = ({ words }: Matcher): string =>
      words.length < 2 || !words.every((word) => folded.includes(word))
        ? folded
        : (whole ??= foldText(text).replaceAll(/\s+/g, ' '));
    const synonyms = terms.flatMap((group) =>
      // A substring check is much faster than the pattern.
      group.some((one) => within(one).includes(one.letters) && one.pattern.test(within(one)))
        ? group.flatMap((one) => (within(one).includes(one.letters) ? [] : [one.term]))
        : [],
    );
    const words = [...new Set(`${distinctWords} ${synonyms.join(' ')}`.match(/\p{L}+/gu))];
    return [...new Set([...synonyms, ...asciiSpellings(words), ...partsOf(words, foldedParts)])].join(' ');
  };
}

interface Matcher {
  letters: string;
  /** Words separated by spaces. */
  words: string[];
  pattern: RegExp;
}

/**
 * Creates a matcher. A long term also matches at the start of a word, such as plurals and compounds. A short one
 * matches whole words.
 */
function matcherOf(term: string): Matcher {
  const letters = foldText(term).replaceAll(/\s+/g, ' ');
  const escaped = letters.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const end = letters.length < MIN_PREFIX_CHARACTERS ? '(?![\\p{L}\\p{N}])' : '';
  return { letters, words: letters.split(' '), pattern: new RegExp(`(?<![\\p{L}\\p{N}])${escaped}${end}`, 'u') };
}

const BEYOND_ASCII = /[^a-z]/i;

/** Returns words with `ä`, `ß` and similar letters in their ASCII spelling. */
function asciiSpellings(words: readonly string[]): string[] {
  return words
    .filter((word) => BEYOND_ASCII.test(word))
    .flatMap((word) => {
      const plain = transliterate(word);
      return plain === word.normalize('NFC').toLowerCase() ? [] : [plain];
    });
}

/** Minimum number of characters before a part. Otherwise it is the word itself. */
const MIN_BEFORE_PART = 3;

function partsOf(words: readonly string[], parts: readonly string[]): string[] {
  if (parts.length === 0) return [];
  const folded = words.map(foldText);
  const joined = folded.join(' ');
  // Most parts match none of the words, so the joined words are checked first.
  return parts.filter(
    (part) => joined.includes(part) && folded.some((word) => word.indexOf(part, MIN_BEFORE_PART) >= 0),
  );
}

/** Above this number several records share a file, because hosts limit the number of files. */
const MAX_SINGLE_RECORDS = 400;

const RECORDS_IN_FILE = 6;

/** Pagefind's user interfaces, worker, and fallback stemming, which the site doesn't use. */
const UNUSED = /^pagefind-(?!entry\.json)|^wasm\.unknown\./;

const SCRIPT = /^pagefind\.js$|^wasm\./;

const searchedEpisode = episodeEntry.omit({ mentions: true });

/** Part of the search index of a language. */
export interface SearchPart {
  products?: HashPart;
  articles?: readonly SearchRecord[];
  /** IDs of the episodes, and the maximum indexed length of their transcripts. */
  episodes?: { ids: ReadonlySet<string>; maxCharacters: number };
  /** True if the part includes the search script. */
  withScript?: boolean;
}

/** Creates a part of the text index of a language. @throws SortimentError SEARCH_INDEX_FAILED and SYNONYMS_INVALID. */
export function createTextIndex(
  context: GeneratorContext,
  language: string,
  { products, articles = [], episodes, withScript = false }: SearchPart,
): Promise<IndexFile[]> {
  const inPart = products ? context.productIndex.part(language, products) : [];
  const listed = inPart.filter(({ gtin }) => !context.overlays.isHidden(language, gtin));
  const expand = createTextExpander(readSynonyms(context.settings.root, language));
  const records = function* (): Generator<SearchRecord> {
    for (const record of productRecords(context, language, listed)) yield expandRecord(record, expand);
    for (const record of articles) yield expandRecord(record, expand);
    if (episodes) for (const record of episodeRecords(context, episodes)) yield expandRecord(record, expand);
  };
  return buildTextIndex(language, records(), {
    count: listed.length + articles.length + (episodes?.ids.size ?? 0),
    withScript,
  });
}

function expandRecord(record: SearchRecord, expand: (text: string) => string): SearchRecord {
  return { ...record, text: `${record.text}. ${expand(record.text)}` };
}

/** Reads products one by one to limit memory use. */
function* productRecords(
  { readProduct, snapshot, settings }: GeneratorContext,
  language: string,
  listed: readonly ProductListEntry[],
): Generator<SearchRecord> {
  const { mainLanguage } = settings.options;
  const families = new Map(
    snapshot.families().map(({ id, names }) => [id, pickLocalized(names, language, mainLanguage) ?? id]),
  );
  for (const entry of listed) yield productRecord(readProduct(entry), families.get(entry.family ?? ''));
}

/** Yields episodes with their transcripts. Pagefind processes one while the next is read. */
function* episodeRecords(
  { settings, source }: GeneratorContext,
  { ids, maxCharacters }: NonNullable<SearchPart['episodes']>,
): Generator<SearchRecord> {
  const readTranscript = createTranscriptReader(settings.assetsFolder);
  const hidden = findHiddenPaths(source);
  for (const entry of projectEpisodes(source, ids)) {
    const episode = searchedEpisode.parse(entryData(entry));
    if (hidden.has(episode.path)) continue;
    const cues = episode.transcript === undefined ? [] : readTranscript(episode.transcript);
    const spoken = cues.map(({ text }) => text).join(' ');
    yield episodeRecord(episode, spoken.slice(0, maxCharacters));
  }
}

function episodeRecord(episode: z.output<typeof searchedEpisode>, transcriptText: string): SearchRecord {
  const { title, subtitle, summary, chapters, tags, html, cover, path } = episode;
  const line = subtitle || summary;
  const image = cover && imageVariants({ ...cover, role: 'thumbnail' }).find(({ format }) => format === 'webp');
  return {
    kind: 'episode',
    path,
    meta: { title, ...(line && { text: line }), ...(image && { image: image.path }) },
    text: [
      title,
      subtitle,
      summary,
      ...chapters.map((chapter) => chapter.title),
      ...tags.map(({ name }) => name),
      htmlText(html),
      transcriptText,
    ]
      .filter(Boolean)
      .join('. '),
  };
}

type SearchedProduct = Pick<
  ProductEntry,
  (typeof SEARCHED_FIELDS)[number] | 'gtin' | 'slug' | 'pageLanguage' | 'fallback' | 'imageAsset'
>;

/** @param family Name of the family in the language of the page. */
function productRecord(product: SearchedProduct, family: string | undefined): SearchRecord {
  const { name, gtin, item_number, intro, application_short, attributes, materials, imageAsset } = product;
  const image =
    imageAsset && imageVariants({ ...imageAsset, role: 'thumbnail' }).find(({ format }) => format === 'webp');
  const line = application_short || intro;
  return {
    kind: 'product',
    path: productPath(product.pageLanguage, product.slug),
    meta: {
      title: name,
      ...(line && { text: line }),
      ...(item_number && { item_number }),
      gtin,
      ...(family && { family }),
      ...(image && { image: image.path }),
      ...(product.fallback && { lang: toBcp47(product.language) }),
    },
    text: [
      name,
      family,
      item_number,
      item_number.replaceAll(/[^\p{L}\p{N}]/gu, ''),
      gtin,
      intro,
      application_short,
      ...attributes.map((attribute) => [attribute.name, attribute.norm, attribute.value].filter(Boolean).join(' ')),
      ...materials.map((material) => `${material.name}: ${material.value}`),
      ...[product.application, product.advantages, product.substrate].map(htmlText),
    ]
      .filter(Boolean)
      .join('. '),
  };
}

/** File of the index, with its path relative to the index's folder. */
interface IndexFile {
  path: string;
  content: Uint8Array;
}

/**
 * Creates a text index of a language with Pagefind. The same records result in the same files.
 * @param language Language code, which determines stemming.
 * @param records Read one by one.
 * @param options Number of records, and whether to include the search script.
 * @throws SortimentError SEARCH_INDEX_FAILED.
 */
async function buildTextIndex(
  language: string,
  records: Iterable<SearchRecord>,
  { count, withScript }: { count: number; withScript: boolean },
): Promise<IndexFile[]> {
  const maxFragments = Math.max(MAX_SINGLE_RECORDS, Math.ceil(count / RECORDS_IN_FILE));
  try {
    const { index, errors } = await createIndex({ maxFragments });
    if (!index) throw createIndexError(language, errors);
    await addRecords(index, language, records);
    const made = await index.getFiles();
    if (made.errors.length > 0) throw createIndexError(language, made.errors);
    await index.deleteIndex();
    const isKnown = made.files.some(({ path }) => path === `wasm.${language}.pagefind`);
    const isUsed = (path: string): boolean => !UNUSED.test(path) || (!isKnown && path.startsWith('wasm.'));
    return made.files.filter(({ path }) => isUsed(path) && (withScript || !SCRIPT.test(path)));
  } finally {
    await close();
  }
}

/** Maximum number of queued records, so that Pagefind has work while others are read. */
const MAX_WAITING = 4;

async function addRecords(index: PagefindIndex, language: string, records: Iterable<SearchRecord>): Promise<void> {
  const queue: ReturnType<PagefindIndex['addCustomRecord']>[] = [];
  const checkOldest = async (): Promise<void> => {
    const { errors = [] } = (await queue.shift()) ?? {};
    if (errors.length > 0) throw createIndexError(language, errors);
  };
  for (const { kind, path, meta, text } of records) {
    const record = {
      url: path,
      // Invalid characters would stop Pagefind.
      content: cleanText(text),
      language,
      meta: cleanTexts(meta),
      filters: { kind: [kind] },
    };
    if (queue.length === MAX_WAITING) await checkOldest();
    const added = index.addCustomRecord(record);
    // Avoids an unhandled rejection. The error is thrown when it is awaited.
    added.catch(() => undefined);
    queue.push(added);
  }
  while (queue.length > 0) await checkOldest();
}

function createIndexError(language: string, errors: readonly string[]): SortimentError {
  return new SortimentError(
    'SEARCH_INDEX_FAILED',
    `The search index of ${language} couldn't be created: ${errors.join('; ') || 'Pagefind reported no reason'}.`,
    { hint: "Run `npm ci` again to install Pagefind's binary for this platform." },
  );
}

/** Searchable content of a page. */
export interface SearchRecord {
  kind: SearchKind;
  path: string;
  meta: SearchMeta;
  /** All searchable text besides `meta`. */
  text: string;
}
