import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readFrontMatter } from '#contracts/front-matter.ts';
import { isReservedPath, pagePath, WELCOME_SLUG } from '#catalogue/addresses/paths.ts';
import { localPageEntry } from '#model/entries.ts';
import type { SearchRecord } from './search-record.ts';

const FOLDER = 'content/pages';

/** Pages that are written in the project, in a language. @param root The project's folder. */
export function localPageRecords(root: string, language: string): SearchRecord[] {
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
