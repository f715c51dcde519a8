import { hash } from 'node:crypto';
import { fileAt } from '#catalogue/addresses/base.ts';
import {
  SEARCH_PARTS_FILE,
  searchPartFolder,
  searchTextFolder,
  type SearchParts,
} from '#catalogue/addresses/search-files.ts';
import { CATEGORY, MEDIA, PAGE, PODCAST, POST, SHOW, TAG, type SyncedKind } from '#contracts/synced/index.ts';
import { hashBucket, hashParts, partsOf } from '#files/hash-parts.ts';
import { findImage } from '#product-index/localise-html.ts';
import { placeEpisodes } from '#projection/place-episodes.ts';
import { indexTerms, readTerms } from '#projection/term-index.ts';
import { rememberReads, type SnapshotReader } from '#snapshot/index.ts';
import type { FileGenerator, GeneratorContext } from '../generator.ts';

/** What the search tells of posts and pages. */
const ARTICLES: readonly SyncedKind[] = [POST, PAGE, CATEGORY, TAG];
/** What it tells of an episode besides itself: its language, its picture and its tags. */
const AROUND_EPISODES: readonly SyncedKind[] = [PODCAST, SHOW, TAG];

/** Counted up when the same content gives other files. */
const INDEX_VERSION = 4;

/**
 * Pagefind takes 100 kB of memory for each product while it makes an index; and whoever searches reads the head of each
 * part.
 */
const PRODUCTS_IN_PART = 5000;

/** An hour of speech has more words than a hundred products, and one changed episode makes its part anew. */
const EPISODES_IN_PART = 16;

/** The index of the text search. */
export const searchText = searchTextInParts(PRODUCTS_IN_PART, EPISODES_IN_PART);

/**
 * The index of the text search, a folder for each language, in parts that are made only when something that is searched
 * in them has changed. Posts and pages are in the first; episodes have their own, behind those of the products.
 * @param productsInPart How many at most, or a few more: which part one is in depends on its GTIN, and on how many parts
 *   there are.
 * @param episodesInPart The same of episodes.
 */
export function searchTextInParts(productsInPart: number, episodesInPart: number): FileGenerator {
  return {
    name: 'search-text',
    takesChanges: true,
    update: async (given) => {
      // Each part that is made reads all articles.
      const context = { ...given, snapshot: rememberReads(given.snapshot) };
      const { languages, productIndex, snapshot, put, keep } = context;
      const families = snapshot.families().map(({ id, names }) => [id, names]);
      const pictures = pictureDigests(snapshot);
      const ofPosts = [...snapshot.records(POST)].map(({ featuredMedia }) => pictures.ofMedia(featuredMedia));
      const articles = [digestsOf(snapshot, ARTICLES), ofPosts];
      const episodes = Map.groupBy(searchedEpisodes(context, pictures), ({ language }) => language);
      const aroundEpisodes = digestsOf(snapshot, AROUND_EPISODES);
      for (const { code } of languages) {
        const own = episodes.get(code) ?? [];
        const parts = [
          ...hashParts(productIndex.count(code), productsInPart).map((products, i) => ({
            part: { products, isFirst: i === 0 },
            basis: [productIndex.searchDigest(code, products), families, i === 0 && articles],
          })),
          ...(own.length === 0 ? [] : hashParts(own.length, episodesInPart)).map((part) => {
            const held = own.filter(({ place }) => partsOf([part], [place]).length > 0);
            return {
              part: { episodes: new Set(held.map(({ id }) => id)), isFirst: false },
              basis: [aroundEpisodes, held.map(({ id, digests }) => [id, digests])],
            };
          }),
        ];
        for (const [number, { part, basis }] of parts.entries()) {
          const key = hash('sha1', JSON.stringify([INDEX_VERSION, basis]), 'base64url');
          const folder = fileAt(searchPartFolder(code, number));
          if (keep(folder.slice(0, -1), key)) continue;
          // Loaded only when one is to be made: mostly none is.
          const { makeTextIndex } = await import('./make-text-index.ts');
          const made = await makeTextIndex(context, code, part);
          for (const { path, content } of made) put(`${folder}${path}`, content, key);
          removeOthers(context, folder, new Set(made.map(({ path }) => `${folder}${path}`)));
        }
        const list: SearchParts = { parts: parts.length };
        put(`${fileAt(searchTextFolder(code))}${SEARCH_PARTS_FILE}`, JSON.stringify(list), `${parts.length} parts`);
        // There have been more, of a larger assortment.
        for (let number = parts.length; removeOthers(context, fileAt(searchPartFolder(code, number))); number++);
      }
    },
  };
}

/** Removes files of an earlier index. @param folder With a slash at its end. @returns Whether there were any files. */
function removeOthers({ files, remove }: GeneratorContext, folder: string, present?: ReadonlySet<string>): boolean {
  const there = files(folder.slice(0, -1));
  for (const { file } of there) if (!present?.has(file)) remove(file);
  return there.length > 0;
}

function digestsOf(snapshot: Pick<SnapshotReader, 'records'>, kinds: readonly SyncedKind[]): string {
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
  const addresses = new Map([...snapshot.records(MEDIA)].map(({ id, url }) => [id, url]));
  const of = (address: string | undefined) => (address ? findImage(snapshot, address, '')?.digest : undefined);
  return { of, ofMedia: (id) => (id === undefined ? undefined : of(addresses.get(id))) };
}

interface SearchedEpisode {
  language: string;
  id: string;
  /** Its place among all, which decides on its part. */
  place: number;
  /** Of what it says, of what is said in it, and of its picture. */
  digests: (string | undefined)[];
}

function searchedEpisodes(
  { settings, snapshot, languages }: GeneratorContext,
  pictures: PictureDigests,
): SearchedEpisode[] {
  const codes = languages.map(({ code }) => code);
  // What is left out is said where episodes are loaded.
  const source = { snapshot, options: settings.options, languages: codes, warn: () => undefined };
  return placeEpisodes(source, indexTerms(readTerms(snapshot))).map(({ record, language, entryId }) => ({
    language,
    id: entryId,
    place: hashBucket(String(record.id)),
    digests: [
      record.digest,
      ...record.transcripts.map((url) => snapshot.asset(url, 'transcript')?.digest),
      ...[record.cover, record.poster].map(pictures.of),
      pictures.ofMedia(record.featuredMedia),
    ],
  }));
}
