import { answerAgain, recordReads, sourcesOf, type Reads, type Source } from '../port/reads.ts';
import { digestEpisodeProducts } from './episode-products.ts';
import { loadSite } from './load-site.ts';

/** What a build asks of the pages that it renders. */
export interface Recorder {
  /** Notes all that is read while a page is rendered. */
  record<T>(render: () => T): { result: T; reads: Reads };
  /** What names the answer to something that was read once, as it is now. */
  answer(read: string): string | undefined;
  /** What such an answer is made of; undefined for what nobody asks any more. */
  sourcesOf(read: string): readonly Source[] | undefined;
  /** The products that episodes are about, by `<language>/<gtin>`, with what names the episodes on their pages. */
  episodeProducts(): Record<string, string>;
}

/** Of the site as it is now. Handed out by the bundle, in which pages and what they read are one piece of code. */
export async function openRecorder(): Promise<Recorder> {
  const site = await loadSite();
  return {
    record: (render) => recordReads(site.digestOf, render),
    answer: (read) => answerAgain(site, read, site.digestOf),
    sourcesOf,
    episodeProducts: () => digestEpisodeProducts(site),
  };
}
