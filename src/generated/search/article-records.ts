import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isReservedPath, pagePath, WELCOME_SLUG } from '#catalogue/addresses/paths.ts';
import { imageVariants } from '#catalogue/images/image-variants.ts';
import { readFrontMatter } from '#contracts/front-matter.ts';
import { htmlText } from '#contracts/html/html-text.ts';
import { localPageEntry, pageEntry, postEntry, type PageEntry, type PostEntry } from '#catalogue/entries/entries.ts';
import { type LoaderSource, entryData } from '#catalogue/read-model/with-snapshot.ts';
import { findHiddenPaths } from '#catalogue/read-model/project-heads.ts';
import { projectPages, projectPosts } from '#catalogue/read-model/articles.ts';
import type { GeneratorContext } from '../generator.ts';
import type { SearchRecord } from './create-text-index.ts';

const FOLDER = 'content/pages';

const searchedPost = postEntry.omit({ mentions: true });

/** @returns Returns the search records of local and imported posts and pages in a language. */
export function articleRecords({ settings, source }: GeneratorContext): (language: string) => SearchRecord[] {
  // Loaders report omitted articles.
  const imported = Map.groupBy(importedRecords({ ...source, warn: () => undefined }), ({ language }) => language);
  return (language) => {
    const records = (imported.get(language) ?? []).map(({ record }) => record);
    return unique([...localPageRecords(settings.root, language), ...records]);
  };
}

/** Removes duplicates. A local page takes precedence over an imported one. */
function unique(records: readonly SearchRecord[]): SearchRecord[] {
  return [...new Map(records.toReversed().map((record) => [record.path, record])).values()].toReversed();
}

/** Returns the search records of local pages. @param root Project folder. */
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

function plainMarkdown(source: string): string {
  return source
    .replaceAll(/^(?:import|export)\s.*$/gm, '')
    .replaceAll(/<\/?[A-Za-z][^<>]*>|\{[^{}]*\}/g, ' ')
    .replaceAll(/!?\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replaceAll(/[#*_`>|]/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Returns the search records of imported posts and pages in all languages. */
function importedRecords(source: LoaderSource): { language: string; record: SearchRecord }[] {
  const hidden = findHiddenPaths(source);
  const posts = [...projectPosts(source)].map((entry) => {
    const post = searchedPost.parse(entryData(entry));
    const terms = [...post.categories, ...post.tags].map(({ name }) => name);
    return { language: post.language, record: toRecord('post', post, terms) };
  });
  const pages = [...projectPages(source)].map((entry) => {
    const page = pageEntry.parse(entryData(entry));
    return { language: page.language, record: toRecord('page', page, []) };
  });
  return [...posts, ...pages].filter(({ record }) => !hidden.has(record.path));
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
      // Results show images for posts, but not for pages.
      ...(kind === 'post' && image && { image: image.path }),
    },
    text: [title, ...terms, htmlText(html)].join('. '),
  };
}
