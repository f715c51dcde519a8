import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { z } from 'zod';
import { close, createIndex, type PagefindIndex } from 'pagefind';
import { isReservedPath, pagePath, WELCOME_SLUG, productPath } from '#catalogue/addresses/paths.ts';
import type { SearchKind, SearchMeta } from '#catalogue/addresses/search-files.ts';
import { imageVariants } from '#catalogue/pictures/image-variants.ts';
import { SEARCHED_FIELDS } from '#catalogue/products/listed-product.ts';
import { readFrontMatter } from '#contracts/front-matter.ts';
import { htmlText } from '#contracts/html/index.ts';
import { cleanText, cleanTexts, SortimentError } from '#contracts/index.ts';
import { localized } from '#contracts/localized.ts';
import { toBcp47 } from '#contracts/product/index.ts';
import type { HashPart } from '#files/hash-parts.ts';
import {
  type ListedEntry,
  localPageEntry,
  pageEntry,
  postEntry,
  type PageEntry,
  type PostEntry,
  type ProductEntry,
} from '#model/entries.ts';
import { episodeEntry } from '#model/podcast.ts';
import { transcriptReader } from '#product-index/read-transcript.ts';
import type { LoaderSource } from '#product-index/with-snapshot.ts';
import { hiddenPaths } from '#projection/project-heads.ts';
import { projectPages } from '#projection/project-pages.ts';
import { projectEpisodes } from '#projection/project-podcast.ts';
import { projectPosts } from '#projection/project-posts.ts';
import type { GeneratorContext } from '../generator.ts';
import { openExpander } from './expand-text.ts';
import { readSynonyms } from './read-synonyms.ts';

/** With more records than this, several share a file: hosts limit how many files a site may have. */
const MAX_SINGLE_RECORDS = 400;

const RECORDS_IN_FILE = 6;

/** Pagefind's own interfaces, its thread, and stemming for languages that it doesn't know. */
const UNUSED = /^pagefind-(?!entry\.json)|^wasm\.unknown\./;

const SCRIPT = /^pagefind\.js$|^wasm\./;

/** Of the words of an episode: two hours of speech. */
const MAX_TRANSCRIPT_CHARACTERS = 100_000;

const FOLDER = 'content/pages';

const searchedEpisode = episodeEntry.omit({ mentions: true });
const searchedPost = postEntry.omit({ mentions: true });

/** A part of what is searched in a language. */
export interface SearchPart {
  products?: HashPart;
  /** Their ids. */
  episodes?: ReadonlySet<string>;
  /** With the script, and with posts and pages. */
  isFirst: boolean;
}

/** Makes a part of the text index of a language. @throws SortimentError SEARCH_INDEX_FAILED and SYNONYMS_INVALID. */
export function makeTextIndex(
  context: GeneratorContext,
  language: string,
  { products, episodes, isFirst }: SearchPart,
): Promise<IndexFile[]> {
  const { root } = context.settings;
  const inPart = products ? context.productIndex.part(language, products) : [];
  const listed = inPart.filter(({ gtin }) => !context.overlays.isHidden(language, gtin));
  const articles = isFirst ? unique([...localPageRecords(root, language), ...articlesOf(context, language)]) : [];
  const others = episodes ? episodesOf(context, episodes) : articles;
  const expand = openExpander(readSynonyms(root, language));
  const records = function* (): Generator<SearchRecord> {
    for (const record of productRecords(context, language, listed)) yield expanded(record, expand);
    for (const record of others) yield expanded(record, expand);
  };
  return buildTextIndex(language, records(), { count: listed.length + others.length, withScript: isFirst });
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

function articlesOf({ snapshot, settings, languages, warn }: GeneratorContext, language: string): SearchRecord[] {
  const codes = languages.map(({ code }) => code);
  return articleRecords({ snapshot, options: settings.options, languages: codes, warn }).get(language) ?? [];
}

/** Episodes, with every word that is said in them. */
function episodesOf(
  { settings, snapshot, languages, warn }: GeneratorContext,
  ids: ReadonlySet<string>,
): SearchRecord[] {
  const readTranscript = transcriptReader(settings.assetsFolder);
  const codes = languages.map(({ code }) => code);
  const source = { snapshot, options: settings.options, languages: codes, warn };
  const hidden = hiddenPaths(source);
  return [...projectEpisodes(source, ids)].flatMap(({ data }) => {
    const episode = searchedEpisode.parse(data);
    if (hidden.has(episode.path)) return [];
    const cues = episode.transcript === undefined ? [] : readTranscript(episode.transcript);
    const said = cues.map(({ text }) => text).join(' ');
    return [episodeRecord(episode, said.slice(0, MAX_TRANSCRIPT_CHARACTERS))];
  });
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

/** Where the project and the publishing site have the same page, the project's stands. */
function unique(records: readonly SearchRecord[]): SearchRecord[] {
  return [...new Map(records.toReversed().map((record) => [record.path, record])).values()].toReversed();
}

/** Pages that are written in the project, in a language. @param root The project's folder. */
function localPageRecords(root: string, language: string): SearchRecord[] {
  const folder = path.join(root, FOLDER, language);
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.mdx'));
  return files.toSorted().flatMap((file): SearchRecord | [] => {
    const slug = file.split(path.sep).join('/').slice(0, -'.mdx'.length);
    if (slug === WELCOME_SLUG || isReservedPath(slug)) return [];
    const { fields, body } = readFrontMatter(readFileSync(path.join(folder, file), 'utf8'));
    const { title, description } = localPageEntry.parse(fields);
    const text = plainMarkdown(body);
    return {
      kind: 'page',
      path: pagePath(language, slug),
      meta: { title, ...(description && { text: description }) },
      text: [title, description, text].filter(Boolean).join('. '),
    };
  });
}

/** The words of MDX, without its components and signs. */
function plainMarkdown(source: string): string {
  return source
    .replaceAll(/^(?:import|export)\s.*$/gm, '')
    .replaceAll(/<\/?[A-Za-z][^<>]*>|\{[^{}]*\}/g, ' ')
    .replaceAll(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replaceAll(/[#*_`>|]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Posts and pages of the publishing site in all languages, by the language they are in. */
function articleRecords(source: LoaderSource): Map<string, SearchRecord[]> {
  const silent = { ...source, warn: () => undefined };
  const hidden = hiddenPaths(silent);
  const posts = [...projectPosts(silent)]
    .map(({ data }) => searchedPost.parse(data))
    .filter(({ path: at }) => !hidden.has(at));
  const pages = [...projectPages(silent)]
    .map(({ data }) => pageEntry.parse(data))
    .filter(({ path: at }) => !hidden.has(at));
  const found = [
    ...posts.map((post) => ({
      language: post.language,
      record: toRecord(
        'post',
        post,
        [...post.categories, ...post.tags].map(({ name }) => name),
      ),
    })),
    ...pages.map((page) => ({ language: page.language, record: toRecord('page', page, []) })),
  ];
  const groups = Map.groupBy(found, ({ language }) => language);
  return new Map([...groups].map(([language, group]) => [language, group.map(({ record }) => record)]));
}

function toRecord(
  kind: 'post' | 'page',
  article: Omit<PostEntry, 'mentions'> | PageEntry,
  terms: readonly string[],
): SearchRecord {
  const { title, excerpt, featured, html, path } = article;
  const image = featured && imageVariants({ ...featured, role: 'figure' }).find(({ format }) => format === 'webp');
  return {
    kind,
    path,
    meta: {
      title,
      ...(excerpt && { text: excerpt }),
      // Posts stand with their pictures in lists; pages don't.
      ...(kind === 'post' && image && { image: image.path }),
    },
    text: [title, ...terms, htmlText(html)].join('. '),
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

async function addRecords(index: PagefindIndex, language: string, records: Iterable<SearchRecord>): Promise<void> {
  for (const { kind, path, meta, text } of records) {
    const { errors } = await index.addCustomRecord({
      url: path,
      // What is no character is no text for Pagefind, and one such text would end it.
      content: cleanText(text),
      language,
      meta: cleanTexts(meta),
      filters: { kind: [kind] },
    });
    if (errors.length > 0) throw failed(language, errors);
  }
}

function failed(language: string, errors: readonly string[]): SortimentError {
  return new SortimentError(
    'SEARCH_INDEX_FAILED',
    `The search index of ${language} could not be made: ${errors.join('; ') || 'Pagefind gave no reason'}.`,
    { hint: "Run `npm ci` again, so that Pagefind's program for this machine is installed." },
  );
}

/** What the search knows of a page. */
interface SearchRecord {
  kind: SearchKind;
  path: string;
  meta: SearchMeta;
  /** Everything that it is found by, besides what `meta` says. */
  text: string;
}
