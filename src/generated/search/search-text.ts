import { hash } from 'node:crypto';
import { fileAt } from '#catalogue/addresses/base.ts';
import {
  SEARCH_PARTS_FILE,
  searchPartFolder,
  searchTextFolder,
  type SearchParts,
} from '#catalogue/addresses/search-files.ts';
import type { SyncedRecords } from '#contracts/synced/index.ts';
import { hashBucket, hashParts, isInPart } from '#files/hash-parts.ts';
import { findImage } from '#product-index/localise-html.ts';
import { transcriptOf } from '#projection/place-episodes.ts';
import { readEpisodes } from '#projection/read-articles.ts';
import type { SnapshotReader } from '#snapshot/index.ts';
import type { FileGenerator, GeneratorContext } from '../generator.ts';
import type { SearchPart, SearchRecord } from './make-text-index.ts';
import { searchedBytes } from './said-words.ts';

/** What the search tells of posts and pages. */
const ARTICLES = ['post', 'page', 'category', 'tag'] as const;
/** What it tells of an episode besides itself: its language, its picture and its tags. */
const AROUND_EPISODES = ['podcast', 'show', 'tag'] as const;

/** Counted up when the same content gives other files. */
const INDEX_VERSION = 5;

/**
 * Pagefind takes 100 kB of memory for each product while it makes an index; and whoever searches reads the head of each
 * part.
 */
const PRODUCTS_IN_PART = 2500;

/** One changed article makes its part anew; most journals are one part. */
const ARTICLES_IN_PART = 128;

/**
 * Pagefind takes a third of a second for a megabyte of transcripts, about ten hours of speech, and one changed episode
 * rebuilds its part.
 */
const EPISODE_BYTES_IN_PART = 1_000_000;

/** Of an episode besides what is said in it: its notes and chapters. */
const NOTES_BYTES = 4_000;

/** The index of the text search. */
export const searchText = searchTextInParts({
  products: PRODUCTS_IN_PART,
  articles: ARTICLES_IN_PART,
  episodeBytes: EPISODE_BYTES_IN_PART,
});

/**
 * The index of the text search, a folder for each language, in parts that are made only when something that is searched
 * in them has changed: first those of products, then of posts and pages, then of episodes.
 * @param inPart How many of each at most, or a few more, and how many bytes of transcripts and notes: which part one is in
 *   depends on its number or address, and on how many parts there are.
 */
export function searchTextInParts(inPart: { products: number; articles: number; episodeBytes: number }): FileGenerator {
  return {
    name: 'search-text',
    takesChanges: true,
    isEarly: true,
    update: async (context) => {
      const { languages, productIndex, snapshot, put, keep, keyBelow } = context;
      const families = snapshot.families().map(({ id, names }) => [id, names]);
      const pictures = pictureDigests(snapshot);
      const hidden = snapshot.hidesPages() && digestsOf(snapshot, ['head']);
      const ofPosts = [...snapshot.records('post')].map(({ featuredMedia }) => pictures.ofMedia(featuredMedia));
      const articles = describe([digestsOf(snapshot, ARTICLES), ofPosts, hidden]);
      const count = [...snapshot.records('post'), ...snapshot.records('page')].length;
      const episodes = Map.groupBy(searchedEpisodes(context, pictures), ({ language }) => language);
      const aroundEpisodes = [digestsOf(snapshot, AROUND_EPISODES), hidden];
      let records: ((language: string) => SearchRecord[]) | undefined;
      for (const { code } of languages) {
        let parts = 0;
        /** @returns The folder of the next part, without a slash at its end. */
        const nextFolder = (): string => fileAt(searchPartFolder(code, parts++)).slice(0, -1);
        const makePart = async (folder: string, key: string, part: SearchPart): Promise<void> => {
          // Loaded only when one is to be made: mostly none is.
          const { makeTextIndex } = await import('./make-text-index.ts');
          const made = await makeTextIndex(context, code, part);
          for (const { path, content } of made) put(`${folder}/${path}`, content, key);
          removeOthers(context, folder, new Set(made.map(({ path }) => `${folder}/${path}`)));
        };
        for (const products of hashParts(productIndex.count(code), inPart.products)) {
          const withScript = parts === 0;
          const folder = nextFolder();
          const key = describe([productIndex.searchDigest(code, products), families]);
          if (!keep(folder, key)) await makePart(folder, key, { products, withScript });
        }
        let ofLanguage: SearchRecord[] | undefined;
        for (const part of hashParts(count / languages.length, inPart.articles)) {
          const folder = nextFolder();
          const known = keyBelow(folder) ?? '';
          if (known.startsWith(`${articles} `) && keep(folder, known)) continue;
          // Some article has changed. Which part it is in shows when their records are made.
          records ??= (await import('./article-records.ts')).articleRecords(context);
          ofLanguage ??= records(code);
          const held = ofLanguage.filter(({ path }) => isInPart(hashBucket(path), part));
          const content = describe(held);
          const key = `${articles} ${content}`;
          if (known.endsWith(` ${content}`) && keep(folder, known, key)) continue;
          await makePart(folder, key, { articles: held });
        }
        const own = episodes.get(code) ?? [];
        const bytes = own.reduce((sum, episode) => sum + episode.bytes, 0);
        for (const part of own.length === 0 ? [] : hashParts(bytes, inPart.episodeBytes)) {
          const folder = nextFolder();
          const held = own.filter(({ place }) => isInPart(place, part));
          const key = describe([aroundEpisodes, held.map(({ id, digests }) => [id, digests])]);
          if (!keep(folder, key)) await makePart(folder, key, { episodes: new Set(held.map(({ id }) => id)) });
        }
        const list: SearchParts = { parts };
        put(`${fileAt(searchTextFolder(code))}${SEARCH_PARTS_FILE}`, JSON.stringify(list), `${parts} parts`);
        // There have been more, of a larger assortment.
        while (removeOthers(context, nextFolder()));
      }
    },
  };
}

/** Names what a part is made of. */
function describe(basis: unknown): string {
  return hash('sha1', JSON.stringify([INDEX_VERSION, basis]), 'base64url');
}

/** Removes files of an earlier index. @returns Whether there were any files. */
function removeOthers({ files, remove }: GeneratorContext, folder: string, present?: ReadonlySet<string>): boolean {
  const there = files(folder);
  for (const { file } of there) if (!present?.has(file)) remove(file);
  return there.length > 0;
}

function digestsOf(snapshot: Pick<SnapshotReader, 'records'>, kinds: readonly (keyof SyncedRecords)[]): string {
  const digests = kinds.map((kind) => [...snapshot.records(kind)].map(({ id, digest }) => [id, digest]));
  return hash('sha1', JSON.stringify(digests), 'base64url');
}

/** What names the bytes of a picture: results show it, and they may change while all that names it stays as it is. */
interface PictureDigests {
  /** @param id Of a media item. */
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
  /** Its place among all, which decides on its part. */
  place: number;
  /** Of its transcript and notes, as far as they are searched, roughly. */
  bytes: number;
  /** Of what it says, of what is said in it, and of its picture. */
  digests: (string | undefined)[];
}

function searchedEpisodes({ source, snapshot }: GeneratorContext, pictures: PictureDigests): SearchedEpisode[] {
  return readEpisodes(source).map(({ record, language, entryId }) => {
    const { bytes = 0 } = transcriptOf(snapshot, record) ?? {};
    return {
      language,
      id: entryId,
      place: hashBucket(String(record.id)),
      bytes: NOTES_BYTES + searchedBytes(bytes),
      digests: [
        record.digest,
        ...record.transcripts.map((url) => snapshot.asset(url, 'transcript')?.digest),
        ...[record.cover, record.poster].map(pictures.of),
        pictures.ofMedia(record.featuredMedia),
      ],
    };
  });
}
