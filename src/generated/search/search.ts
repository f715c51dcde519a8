import { hash } from 'node:crypto';
import { outputPath, searchFilePath, searchWordsPath } from '#catalogue/addresses/site-paths.ts';
import { packSearch, SEARCH_KINDS, type IndexedRecord, type SearchFile } from '#catalogue/search/search-file.ts';
import { readArticles } from '#catalogue/read-model/articles.ts';
import { findHiddenPaths } from '#catalogue/read-model/project-heads.ts';
import type { LoaderSource } from '#catalogue/read-model/with-snapshot.ts';
import { contentFolders } from '#files/content-files.ts';
import { hashParts } from '#files/hash-parts.ts';
import type { FileGenerator } from '../generator.ts';

/** Records that affect the articles of all languages. */
const SHARED = ['category', 'tag', 'podcast', 'show'] as const;

/** Increment it if the same content results in other files. */
const INDEX_VERSION = 10;

/** Generates the search files of each language. They are rewritten only if something searchable has changed. */
export const search: FileGenerator = {
  name: 'search',
  takesChanges: true,
  update: async (context) => {
    const { languages, productIndex, snapshot, source, settings, put, keep, files, remove } = context;
    if (!settings.options.pages.search) return;
    const families = snapshot.families().map(({ id, names, descriptions }) => [id, names, descriptions]);
    const shared = [
      SHARED.map((kind) => Array.from(snapshot.records(kind), ({ id, digest }) => [id, digest])),
      [...findHiddenPaths(source)],
    ];
    let articlesIn: ((language: string) => IndexedRecord[]) | undefined;
    for (const { code } of languages) {
      const productDigest = hashParts(1, 1).map((all) => productIndex.searchDigest(code, all));
      const calculators = productIndex
        .productGroups(code)
        .map(({ productGroup, isMeasured }) => [productGroup, isMeasured]);
      const basis = [
        INDEX_VERSION,
        productDigest,
        settings.options.documentKinds,
        calculators,
        families,
        shared,
        digestArticles(source, code),
      ];
      const key = hash('sha1', JSON.stringify(basis), 'base64url');
      const file = outputPath(searchFilePath(code));
      const folder = file.slice(0, file.lastIndexOf('/'));
      if (keep(folder, key)) continue;
      // Loaded lazily, because usually nothing has changed.
      const [{ catalogueRecords, documentLabels, productRecords }, { articleRecords }, { readSearchRules }] =
        await Promise.all([
          import('./catalogue-records.ts'),
          import('./article-records.ts'),
          import('./search-rules.ts'),
        ]);
      articlesIn ??= articleRecords(context);
      const [products, articles] = [productRecords(context, code), articlesIn(code)];
      const lists = catalogueRecords(context, code, { products, articles });
      const records = [...products, ...lists, ...articles].toSorted(
        (a, b) => SEARCH_KINDS.indexOf(a.kind) - SEARCH_KINDS.indexOf(b.kind),
      );
      const rules = readSearchRules(contentFolders(settings.root), code);
      const packed = packSearch(records, { ...rules, labels: documentLabels(context, code) });
      const version = hash('sha1', JSON.stringify(packed), 'hex').slice(0, 8);
      const made = new Map<string, object>([
        [file, { ...packed.file, version } satisfies SearchFile],
        ...packed.files.map((words, i) => [outputPath(searchWordsPath(code, version, i)), words] as const),
      ]);
      for (const [name, content] of made) put(name, JSON.stringify(content), key);
      for (const { file: name } of files(folder)) if (!made.has(name)) remove(name);
    }
  },
};

/** Returns the digests of the articles and transcripts of a language. */
function digestArticles(source: LoaderSource, language: string): unknown {
  const { posts, pages, episodes } = readArticles(source);
  const transcriptOf = (url: string) => source.snapshot.asset(url, 'transcript')?.digest;
  const inLanguage = (article: { language: string }) => article.language === language;
  return [
    [...posts, ...pages, ...episodes].filter(inLanguage).map(({ path, record }) => [path, record.digest]),
    episodes.filter(inLanguage).map(({ record }) => record.transcripts.map(transcriptOf)),
  ];
}
