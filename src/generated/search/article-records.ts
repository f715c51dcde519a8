import { readFileSync } from 'node:fs';
import path from 'node:path';
import { isReservedPath, pagePath, WELCOME_SLUG } from '#catalogue/addresses/paths.ts';
import { shorten, transliterate } from '#catalogue/languages/fold-text.ts';
import { readFrontMatter } from '#contracts/front-matter.ts';
import { htmlText } from '#contracts/html/html-text.ts';
import { filesIn } from '#files/built-files.ts';
import { episodeEntry, localPageEntry, pageEntry, postEntry, type PostEntry } from '#catalogue/entries/entries.ts';
import { type LoaderSource, entryData } from '#catalogue/read-model/with-snapshot.ts';
import { createTranscriptReader } from '#catalogue/read-model/product-readers.ts';
import { findHiddenPaths } from '#catalogue/read-model/project-heads.ts';
import { projectPages, projectPosts } from '#catalogue/read-model/articles.ts';
import { projectEpisodes } from '#catalogue/read-model/project-podcast.ts';
import { splitWords } from '#catalogue/search/words.ts';
import type { IndexedRecord } from '#catalogue/search/search-file.ts';
import type { GeneratorContext } from '../generator.ts';
import { belowLanguage } from './catalogue-records.ts';

const FOLDER = 'content/pages';

const searchedPost = postEntry.omit({ mentions: true });
const searchedEpisode = episodeEntry.omit({ mentions: true });

/** Maximum length of the text below a title. */
const MAX_LINE = 80;

/** Maximum indexed length of a transcript, about two hours of speech. */
const MAX_TRANSCRIPT_CHARACTERS = 100_000;

/** Returns a function that returns the records of local and imported posts, pages and episodes in a language. */
export function articleRecords({ settings, source }: GeneratorContext): (language: string) => IndexedRecord[] {
  // Loaders report omitted articles.
  const imported = importedRecords({ ...source, warn: () => undefined }, settings.assetsFolder);
  return (language) => {
    const records = (imported.get(language) ?? []).map(({ record }) => record);
    // A local page takes precedence over an imported one.
    const byPath = new Map([...records, ...localPageRecords(settings.root, language)].map((one) => [one.path, one]));
    return [...byPath.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
  };
}

/** Returns the records of local pages. @param root Project folder. */
function localPageRecords(root: string, language: string): IndexedRecord[] {
  const folder = path.join(root, FOLDER, language);
  const files = filesIn(folder).filter((file) => file.endsWith('.mdx'));
  return files.toSorted().flatMap((file): IndexedRecord | [] => {
    const slug = file.slice(0, -'.mdx'.length);
    if (slug === WELCOME_SLUG || isReservedPath(slug)) return [];
    const { fields, body } = readFrontMatter(readFileSync(path.join(folder, file), 'utf8'));
    const { title, description } = localPageEntry.parse(fields);
    return {
      kind: 'page',
      title,
      path: belowLanguage(pagePath(language, slug), language),
      line: description && shorten(description, MAX_LINE),
      texts: { summary: description ?? '', prose: plainMarkdown(body) },
    };
  });
}

function plainMarkdown(source: string): string {
  return source
    .replaceAll(/^(?:import|export)\s.*$/gm, '')
    .replaceAll(/<\/?[A-Za-z][^<>]*>|\{[^{}]*\}/g, ' ')
    .replaceAll(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replaceAll(/[#*_`>|]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

interface ImportedRecord {
  language: string;
  path: string;
  record: IndexedRecord;
}

function importedRecords(source: LoaderSource, assetsFolder: string): Map<string, ImportedRecord[]> {
  const hidden = findHiddenPaths(source);
  const readTranscript = createTranscriptReader(assetsFolder);
  const posts = Array.from(projectPosts(source), (entry) => {
    const post = searchedPost.parse(entryData(entry));
    return importedRecord('post', post, [...post.categories, ...post.tags], `${post.excerpt} ${htmlText(post.html)}`);
  });
  const pages = Array.from(projectPages(source), (entry) => {
    const page = pageEntry.parse(entryData(entry));
    return importedRecord('page', page, [], `${page.excerpt} ${htmlText(page.html)}`);
  });
  const episodes = Array.from(projectEpisodes(source), (entry) => {
    const { transcript, ...episode } = searchedEpisode.parse(entryData(entry));
    const spoken = transcript === undefined ? [] : readTranscript(transcript).map(({ text }) => text);
    const { subtitle, summary, chapters, tags, html } = episode;
    const written = [subtitle, summary, ...chapters.map(({ title }) => title), htmlText(html)].join(' ');
    return importedRecord('episode', episode, tags, written, spoken.join(' ').slice(0, MAX_TRANSCRIPT_CHARACTERS));
  });
  return Map.groupBy(
    [...posts, ...pages, ...episodes].filter(({ path }) => !hidden.has(path)),
    ({ language }) => language,
  );
}

function importedRecord(
  kind: 'post' | 'page' | 'episode',
  { language, path: address, title }: Pick<PostEntry, 'language' | 'path' | 'title'>,
  terms: readonly { name: string }[],
  written: string,
  spoken = '',
): ImportedRecord {
  const path = belowLanguage(address, language);
  const summary = [...terms.map(({ name }) => name), slugWords(path, `${title} ${written}`)].join(' ');
  return { language, path: address, record: { kind, title, path, texts: { summary, prose: `${written} ${spoken}` } } };
}

/** Returns the words of a slug, since editors choose telling ones. Other spellings of words of the text are omitted. */
function slugWords(path: string, text: string): string {
  const spellings = new Set(
    splitWords(text)
      .filter((word) => /[^a-z]/i.test(word))
      .map(transliterate),
  );
  return path
    .split(/[/-]/)
    .filter((word) => !spellings.has(word))
    .join(' ');
}
