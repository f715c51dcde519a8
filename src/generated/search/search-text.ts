import { hash } from 'node:crypto';
import {
  outputPath,
  SEARCH_PARTS_FILE,
  searchPartFolder,
  searchTextFolder,
  type SearchParts,
  NUMBERS_LIST,
  searchNumbersFolder,
  type NumbersList,
} from '#catalogue/addresses/site-paths.ts';
import type { SyncedRecords } from '#contracts/synced/index.ts';
import { hashBucket, hashParts, hasBucket } from '#files/hash-parts.ts';
import { findImage } from '#catalogue/read-model/project-products.ts';
import { findTranscript } from '#catalogue/read-model/content-paths.ts';
import { readEpisodes } from '#catalogue/read-model/articles.ts';
import type { SnapshotReader } from '#snapshot/index.ts';
import type { FileGenerator, GeneratorContext } from '../generator.ts';
import type { SearchPart, SearchRecord } from './create-text-index.ts';
import { packNumbers } from '#catalogue/directory/fold-number.ts';

/** Products per file. Most catalogues fit into one file of about 100 kB, compressed. */
const PRODUCTS_IN_FILE = 5000;

/** Generates the number index of all products. Rewritten only after changes of names or numbers. */
export const searchNumbers: FileGenerator = {
  name: 'search-numbers',
  update: ({ languages, productIndex, overlays, put, keep }) => {
    for (const { code } of languages) {
      const pages = productIndex.directoryPages(code).filter(({ list }) => list === 'gtins');
      const key = hash('sha1', JSON.stringify([PRODUCTS_IN_FILE, pages.map(({ digest }) => digest)]), 'base64url');
      const folder = outputPath(searchNumbersFolder(code));
      if (keep(folder.slice(0, -1), key)) continue;
      const list: NumbersList = { files: [] };
      for (const rows of splitIntoChunks(productIndex.allDirectoryRows(code), PRODUCTS_IN_FILE)) {
        const file = `${list.files.length}.json`;
        const visible = rows.filter(({ gtin }) => !overlays.isHidden(code, gtin));
        list.files.push({ file, first: visible[0]?.gtin ?? '', last: visible.at(-1)?.gtin ?? '' });
        put(`${folder}${file}`, JSON.stringify(packNumbers(visible, code)), key);
      }
      put(`${folder}${NUMBERS_LIST}`, JSON.stringify(list), key);
    }
  },
};

/** Splits an iterable into lists of a size. The last may be shorter. */
export function* splitIntoChunks<T>(items: Iterable<T>, size: number): Generator<T[]> {
  let part: T[] = [];
  for (const item of items) {
    part.push(item);
    if (part.length < size) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}

/** Records that affect the search index of posts and pages. */
const ARTICLES = ['post', 'page', 'category', 'tag'] as const;
/** Records that affect the search index of episodes, besides themselves. */
const AROUND_EPISODES = ['podcast', 'show', 'tag'] as const;

/** Increment it if the same content results in other files. */
const INDEX_VERSION = 5;

/** Products per part. Pagefind needs 100 kB of memory per product, and a search loads the head of each part. */
const PRODUCTS_IN_PART = 2500;

/** Articles per part. A changed article rebuilds its part. Most journals have one part. */
const ARTICLES_IN_PART = 128;

/**
 * Bytes of episodes per part. Pagefind takes a third of a second per megabyte of transcripts (about ten hours of
 * speech), and a changed episode rebuilds its part.
 */
const EPISODE_BYTES_IN_PART = 1_000_000;

/** Maximum indexed length of a transcript, about two hours of speech. */
const MAX_TRANSCRIPT_CHARACTERS = 100_000;

/** Estimated size of an episode's notes and chapters. */
const NOTES_BYTES = 4_000;

export const searchText = createSearchTextGenerator({
  products: PRODUCTS_IN_PART,
  articles: ARTICLES_IN_PART,
  episodeBytes: EPISODE_BYTES_IN_PART,
});

/**
 * Creates the generator of the text index, with a folder per language and a rebuild per changed part. Parts of products
 * come first, then those of posts and pages, then episodes.
 * @param inPart Approximate maximum of products, articles and bytes per part. The part of an item depends on a hash and
 * on the number of parts.
 */
export function createSearchTextGenerator(inPart: {
  products: number;
  articles: number;
  episodeBytes: number;
}): FileGenerator {
  return {
    name: 'search-text',
    takesChanges: true,
    update: async (context) => {
      const { languages, productIndex, snapshot, put, keep, keyBelow } = context;
      const families = snapshot.families().map(({ id, names }) => [id, names]);
      const imageDigests = pictureDigests(snapshot);
      const hidden = snapshot.hidesPages() && digestsOf(snapshot, ['head']);
      const postImages = [...snapshot.records('post')].map(({ featuredMedia }) => imageDigests.ofMedia(featuredMedia));
      const articles = describe([digestsOf(snapshot, ARTICLES), postImages, hidden]);
      const count = [...snapshot.records('post'), ...snapshot.records('page')].length;
      const episodes = Map.groupBy(searchedEpisodes(context, imageDigests), ({ language }) => language);
      const aroundEpisodes = [digestsOf(snapshot, AROUND_EPISODES), hidden];
      let records: ((language: string) => SearchRecord[]) | undefined;
      for (const { code } of languages) {
        let parts = 0;
        /** @returns Folder of the next part, without a trailing slash. */
        const nextFolder = (): string => outputPath(searchPartFolder(code, parts++)).slice(0, -1);
        const makePart = async (folder: string, key: string, part: SearchPart): Promise<void> => {
          // Loaded lazily, because usually no part has changed.
          const { createTextIndex } = await import('./create-text-index.ts');
          const made = await createTextIndex(context, code, part);
          for (const { path, content } of made) put(`${folder}/${path}`, content, key);
          removeStale(context, folder, new Set(made.map(({ path }) => `${folder}/${path}`)));
        };
        for (const products of hashParts(productIndex.count(code), inPart.products)) {
          const withScript = parts === 0;
          const folder = nextFolder();
          const key = describe([productIndex.searchDigest(code, products), families]);
          if (!keep(folder, key)) await makePart(folder, key, { products, withScript });
        }
        let languageRecords: SearchRecord[] | undefined;
        for (const part of hashParts(count / languages.length, inPart.articles)) {
          const folder = nextFolder();
          const previousKey = keyBelow(folder) ?? '';
          if (previousKey.startsWith(`${articles} `) && keep(folder, previousKey)) continue;
          // An article has changed. Its part is determined from the records.
          records ??= (await import('./article-records.ts')).articleRecords(context);
          languageRecords ??= records(code);
          const partItems = languageRecords.filter(({ path }) => hasBucket(hashBucket(path), part));
          const content = describe(partItems);
          const key = `${articles} ${content}`;
          if (previousKey.endsWith(` ${content}`) && keep(folder, previousKey, key)) continue;
          await makePart(folder, key, { articles: partItems });
        }
        const languageEpisodes = episodes.get(code) ?? [];
        const bytes = languageEpisodes.reduce((sum, episode) => sum + episode.bytes, 0);
        for (const part of languageEpisodes.length === 0 ? [] : hashParts(bytes, inPart.episodeBytes)) {
          const folder = nextFolder();
          const partItems = languageEpisodes.filter(({ place }) => hasBucket(place, part));
          const key = describe([aroundEpisodes, partItems.map(({ id, digests }) => [id, digests])]);
          if (keep(folder, key)) continue;
          const ids = new Set(partItems.map(({ id }) => id));
          await makePart(folder, key, { episodes: { ids, maxCharacters: MAX_TRANSCRIPT_CHARACTERS } });
        }
        const list: SearchParts = { parts };
        put(`${outputPath(searchTextFolder(code))}${SEARCH_PARTS_FILE}`, JSON.stringify(list), `${parts} parts`);
        // Removes parts of a larger, earlier assortment.
        while (removeStale(context, nextFolder()));
      }
    },
  };
}

/** Hashes the sources of a part. */
function describe(basis: unknown): string {
  return hash('sha1', JSON.stringify([INDEX_VERSION, basis]), 'base64url');
}

/** Removes files of an earlier index. @returns True if there were files. */
function removeStale({ files, remove }: GeneratorContext, folder: string, present?: ReadonlySet<string>): boolean {
  const existing = files(folder);
  for (const { file } of existing) if (!present?.has(file)) remove(file);
  return existing.length > 0;
}

function digestsOf(snapshot: Pick<SnapshotReader, 'records'>, kinds: readonly (keyof SyncedRecords)[]): string {
  const digests = kinds.map((kind) => [...snapshot.records(kind)].map(({ id, digest }) => [id, digest]));
  return hash('sha1', JSON.stringify(digests), 'base64url');
}

/** Digests of images, which may change while their records stay the same. */
interface PictureDigests {
  /** @param id ID of a media item. */
  ofMedia(id: number | undefined): string | undefined;
  of(address: string | undefined): string | undefined;
}

function pictureDigests(snapshot: SnapshotReader): PictureDigests {
  const addresses = new Map([...snapshot.records('media')].map(({ id, url }) => [id, url]));
  const of = (address: string | undefined) => (address ? findImage(snapshot, address, '')?.digest : undefined);
  return { of, ofMedia: (id) => (id === undefined ? undefined : of(addresses.get(id))) };
}

interface SearchedEpisode {
  language: string;
  id: string;
  /** Hash bucket, which determines its part. */
  place: number;
  /** Estimated size of its searchable transcript and notes. */
  bytes: number;
  /** Digests of its record, transcripts and images. */
  digests: (string | undefined)[];
}

function searchedEpisodes({ source, snapshot }: GeneratorContext, imageDigests: PictureDigests): SearchedEpisode[] {
  return readEpisodes(source).map(({ record, language, entryId }) => {
    const { bytes = 0 } = findTranscript(snapshot, record) ?? {};
    return {
      language,
      id: entryId,
      place: hashBucket(String(record.id)),
      // Times take at most as many bytes as words.
      bytes: NOTES_BYTES + Math.min(bytes, 2 * MAX_TRANSCRIPT_CHARACTERS),
      digests: [
        record.digest,
        ...record.transcripts.map((url) => snapshot.asset(url, 'transcript')?.digest),
        ...[record.cover, record.poster].map(imageDigests.of),
        imageDigests.ofMedia(record.featuredMedia),
      ],
    };
  });
}
