import type { z } from 'zod';
import { close, createIndex, type PagefindIndex } from 'pagefind';
import { productPath } from '#catalogue/addresses/paths.ts';
import type { SearchKind, SearchMeta } from '#catalogue/addresses/search-files.ts';
import { imageVariants } from '#catalogue/pictures/image-variants.ts';
import { SEARCHED_FIELDS } from '#catalogue/products/listed-product.ts';
import { htmlText } from '#contracts/html/index.ts';
import { cleanText, cleanTexts, SortimentError } from '#contracts/index.ts';
import { localized } from '#contracts/localized.ts';
import { toBcp47 } from '#contracts/product/index.ts';
import type { HashPart } from '#files/hash-parts.ts';
import type { ListedEntry, ProductEntry } from '#model/entries.ts';
import { episodeEntry } from '#model/podcast.ts';
import { dataOf } from '#product-index/replace-entries.ts';
import { transcriptReader } from '#product-index/read-transcript.ts';
import { hiddenPaths } from '#projection/project-heads.ts';
import { projectEpisodes } from '#projection/project-podcast.ts';
import type { GeneratorContext } from '../generator.ts';
import { openExpander } from './expand-text.ts';
import { readSynonyms } from './read-synonyms.ts';
import { saidWords } from './said-words.ts';

/** With more records than this, several share a file: hosts limit how many files a site may have. */
const MAX_SINGLE_RECORDS = 400;

const RECORDS_IN_FILE = 6;

/** Pagefind's own interfaces, its thread, and stemming for languages that it doesn't know. */
const UNUSED = /^pagefind-(?!entry\.json)|^wasm\.unknown\./;

const SCRIPT = /^pagefind\.js$|^wasm\./;

const searchedEpisode = episodeEntry.omit({ mentions: true });

/** A part of what is searched in a language. */
export interface SearchPart {
  products?: HashPart;
  articles?: readonly SearchRecord[];
  /** Their ids. */
  episodes?: ReadonlySet<string>;
  /** Whether the script comes with it that searches. */
  withScript?: boolean;
}

/** Makes a part of the text index of a language. @throws SortimentError SEARCH_INDEX_FAILED and SYNONYMS_INVALID. */
export function makeTextIndex(
  context: GeneratorContext,
  language: string,
  { products, articles = [], episodes = new Set(), withScript = false }: SearchPart,
): Promise<IndexFile[]> {
  const inPart = products ? context.productIndex.part(language, products) : [];
  const listed = inPart.filter(({ gtin }) => !context.overlays.isHidden(language, gtin));
  const expand = openExpander(readSynonyms(context.settings.root, language));
  const records = function* (): Generator<SearchRecord> {
    for (const record of productRecords(context, language, listed)) yield expanded(record, expand);
    for (const record of articles) yield expanded(record, expand);
    for (const record of episodeRecords(context, episodes)) yield expanded(record, expand);
  };
  return buildTextIndex(language, records(), {
    count: listed.length + articles.length + episodes.size,
    withScript,
  });
}

function expanded(record: SearchRecord, expand: (text: string) => string): SearchRecord {
  return { ...record, text: `${record.text}. ${expand(record.text)}` };
}

/** One by one: only what lists show of them is in memory. */
function* productRecords(
  { readProduct, snapshot, settings }: GeneratorContext,
  language: string,
  listed: readonly ListedEntry[],
): Generator<SearchRecord> {
  const { mainLanguage } = settings.options;
  const families = new Map(
    snapshot.families().map(({ id, names }) => [id, localized(names, language, mainLanguage) ?? id]),
  );
  for (const entry of listed) yield productRecord(readProduct(entry), families.get(entry.family ?? ''));
}

/** With every word that is said in them. One by one: Pagefind reads one while the words of the next are collected. */
function* episodeRecords({ settings, source }: GeneratorContext, ids: ReadonlySet<string>): Generator<SearchRecord> {
  if (ids.size === 0) return;
  const readTranscript = transcriptReader(settings.assetsFolder);
  const hidden = hiddenPaths(source);
  for (const entry of projectEpisodes(source, ids)) {
    const episode = searchedEpisode.parse(dataOf(entry));
    if (hidden.has(episode.path)) continue;
    const cues = episode.transcript === undefined ? [] : readTranscript(episode.transcript);
    yield episodeRecord(episode, saidWords(cues));
  }
}

function episodeRecord(episode: z.output<typeof searchedEpisode>, said: string): SearchRecord {
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
      said,
    ]
      .filter(Boolean)
      .join('. '),
  };
}

type Searched = Pick<
  ProductEntry,
  (typeof SEARCHED_FIELDS)[number] | 'gtin' | 'slug' | 'pageLanguage' | 'fallback' | 'imageAsset'
>;

/** @param family Its name, in the language of the page. */
function productRecord(product: Searched, family: string | undefined): SearchRecord {
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

/** A file of the index, by its path in the index's folder. */
interface IndexFile {
  path: string;
  content: Uint8Array;
}

/**
 * Makes a text index of a language with Pagefind. The same records give the same files.
 * @param language Code of the language, by which words are stemmed.
 * @param records Read one after the other.
 * @param options How many records there are, and whether the script comes with it that searches.
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
    if (!index) throw failed(language, errors);
    await addRecords(index, language, records);
    const made = await index.getFiles();
    if (made.errors.length > 0) throw failed(language, made.errors);
    await index.deleteIndex();
    const isKnown = made.files.some(({ path }) => path === `wasm.${language}.pagefind`);
    const isUsed = (path: string): boolean => !UNUSED.test(path) || (!isKnown && path.startsWith('wasm.'));
    return made.files.filter(({ path }) => isUsed(path) && (withScript || !SCRIPT.test(path)));
  } finally {
    await close();
  }
}

/** So many records wait for Pagefind at most, so that it has some to read while other files are made here. */
const MAX_WAITING = 4;

async function addRecords(index: PagefindIndex, language: string, records: Iterable<SearchRecord>): Promise<void> {
  const waiting: ReturnType<PagefindIndex['addCustomRecord']>[] = [];
  const refuseErrors = async (): Promise<void> => {
    const { errors = [] } = (await waiting.shift()) ?? {};
    if (errors.length > 0) throw failed(language, errors);
  };
  for (const { kind, path, meta, text } of records) {
    const record = {
      url: path,
      // What is no character is no text for Pagefind, and one such text would end it.
      content: cleanText(text),
      language,
      meta: cleanTexts(meta),
      filters: { kind: [kind] },
    };
    if (waiting.length === MAX_WAITING) await refuseErrors();
    const added = index.addCustomRecord(record);
    // Its failure is told when it is awaited, unless making the next record fails before.
    added.catch(() => undefined);
    waiting.push(added);
  }
  while (waiting.length > 0) await refuseErrors();
}

function failed(language: string, errors: readonly string[]): SortimentError {
  return new SortimentError(
    'SEARCH_INDEX_FAILED',
    `The search index of ${language} could not be made: ${errors.join('; ') || 'Pagefind gave no reason'}.`,
    { hint: "Run `npm ci` again, so that Pagefind's program for this machine is installed." },
  );
}

/** What the search knows of a page. */
export interface SearchRecord {
  kind: SearchKind;
  path: string;
  meta: SearchMeta;
  /** Everything that it is found by, besides what `meta` says. */
  text: string;
}
