import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { labelLanguages } from '#catalogue/languages/label-languages.ts';
import { pickLocalized } from '#contracts/localized.ts';
import { pagePath } from '#catalogue/addresses/paths.ts';
import type { Settings } from '#config/index.ts';
import type { Dictionaries } from '#i18n/index.ts';
import { localPageEntry, normEntry, type NormEntry } from '#model/entries.ts';
import { siteLanguages } from '#product-index/with-snapshot.ts';
import type { Snapshot } from '#snapshot/index.ts';

/** What product pages show of the site around them, read without Astro. */
export interface LocalSite {
  mainLanguage: string;
  languages: { code: string; name: string }[];
  dictionaries: Dictionaries;
  family: (id: string, language: string) => { id: string; name: string };
  normEntry: (norm: string) => NormEntry | undefined;
  /** Pages of the footer, in their order. */
  footer: (language: string) => { title: string; path: string }[];
}

export function readLocalSite({ root, options }: Settings, snapshot: Snapshot): LocalSite {
  const { mainLanguage } = options;
  const families = new Map(snapshot.families().map((family) => [family.id, family]));
  return {
    mainLanguage,
    languages: labelLanguages(siteLanguages(snapshot, options)),
    dictionaries: readDictionaries(path.join(root, 'content/strings')),
    family: (id, language) => ({
      id,
      name: pickLocalized(families.get(id)?.names ?? {}, language, mainLanguage) ?? id,
    }),
    normEntry: readNorms(path.join(root, 'content/norms')),
    footer: (language) => readFooter(path.join(root, 'content/pages', language), language),
  };
}

function readDictionaries(folder: string): Dictionaries {
  return Object.fromEntries(
    readdirSync(folder).map((file) => [
      path.basename(file, '.json'),
      JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Record<string, string>,
    ]),
  );
}

function readNorms(folder: string): (norm: string) => NormEntry | undefined {
  const norms = new Map(
    readdirSync(folder).map((file) => [
      path.basename(file, '.yaml'),
      normEntry.parse(parse(readFileSync(path.join(folder, file), 'utf8'))),
    ]),
  );
  return (norm) => norms.get(norm);
}

function readFooter(folder: string, language: string): { title: string; path: string }[] {
  return readdirSync(folder)
    .map((file) => {
      const [, head = ''] = readFileSync(path.join(folder, file), 'utf8').split(/^---$/m);
      const { title, order } = localPageEntry.parse(parse(head));
      return { title, order, path: pagePath(language, path.basename(file, '.mdx')) };
    })
    .filter(({ order }) => order !== undefined)
    .toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0))
    .map((page) => ({ title: page.title, path: page.path }));
}
