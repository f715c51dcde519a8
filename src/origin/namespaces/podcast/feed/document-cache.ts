import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { EPISODE_PAGE_TYPE } from '#contracts/podcast/index.ts';
import { SITE_OPTION } from '#origin/platform/site/load-site.ts';
import type { Database } from '#origin/platform/store/store.ts';
import { shareNext } from '#origin/platform/store/store-version.ts';
import { PODCAST_OPTION } from '../podcast-record.ts';

/** A rendered feed. */
export interface RenderedFeed {
  text: string;
  /** Quoted ETag, derived from the text alone. */
  etag: string;
  updated: Date;
}

/** Maximum number of cached documents, each a page of a feed. */
const MAX_DOCUMENTS = 50;
/** Maximum characters of all cached documents together: episodes can have long notes. */
const MAX_CHARACTERS = 64_000_000;

interface CacheEntry<T> {
  state: string;
  document: Promise<T | undefined>;
  /** Length in characters; 0 until the document is ready. */
  size: number;
}

/** Caches documents made from the store. Makes them from scratch when the state of the store has changed. */
export class DocumentCache<T> {
  /** Least recently used first. */
  readonly #entries = new Map<string, CacheEntry<T>>();
  readonly #readState: () => Promise<string>;
  readonly #measure: (value: T) => number;

  /** @param read returns the state of the store: a different text after each write */
  constructor(read: () => Promise<string>, measure: (value: T) => number) {
    this.#readState = shareNext(read);
    this.#measure = measure;
  }

  /** Returns the cached document or makes it. Undefined results of `make` are not cached. */
  async get(key: string, make: () => Promise<T | undefined>): Promise<T | undefined> {
    // Read the state before making the document, so that the next request notices a write in between.
    const state = await this.#readState();
    const cached = this.#entries.get(key);
    const entry = cached?.state === state ? cached : { state, document: make(), size: 0 };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    if (entry === cached) return entry.document;
    const evict = () => void (this.#entries.get(key) === entry && this.#entries.delete(key));
    void entry.document.then((value) => {
      if (value === undefined) return evict();
      entry.size = this.#measure(value);
      this.#evictOldest();
    }, evict);
    return entry.document;
  }

  /** Evicts the oldest documents above the limits. Pending documents don't count: they may not exist. */
  #evictOldest(): void {
    const ready = [...this.#entries].filter(([, { size }]) => size > 0);
    let sum = ready.reduce((all, [, { size }]) => all + size, 0);
    for (const [i, [key, { size }]] of ready.entries()) {
      const remaining = ready.length - i;
      if (remaining === 1 || (remaining <= MAX_DOCUMENTS && sum <= MAX_CHARACTERS)) return;
      this.#entries.delete(key);
      sum -= size;
    }
  }
}

/** Adds an ETag derived from the text. */
export function withEtag({ text, updated }: Pick<RenderedFeed, 'text' | 'updated'>): RenderedFeed {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 32);
  return { text, updated, etag: `"${digest}"` };
}

const stateRows = z.object({ rows: z.tuple([z.object({ state: z.string() })]) });

/**
 * Returns the state of the rows that feeds are made of: a different text after any write, by any program. It sums the
 * IDs of the writing transactions (`xmin`). This reads no texts and takes a millisecond.
 */
export async function readFeedState(db: Database): Promise<string> {
  const sum = sql`concat(count(*), ':', coalesce(sum(xmin::text::bigint), 0))`;
  const isSource = sql`type in ('post', ${EPISODE_PAGE_TYPE})`;
  const result: unknown = await db.execute(sql`
    select concat_ws('/',
      (select ${sum} from content where ${isSource}),
      (select ${sum} from content where type = 'attachment'
        and id in (select featured_media from content where type = ${EPISODE_PAGE_TYPE} and featured_media > 0)),
      (select ${sum} from podcast_episode),
      (select ${sum} from podcast_media_file),
      (select ${sum} from podcast_asset),
      (select ${sum} from podcast_feed),
      (select ${sum} from podcast_show),
      (select ${sum} from option where name in (${PODCAST_OPTION}, ${SITE_OPTION}))) as state`);
  return stateRows.parse(result).rows[0].state;
}
