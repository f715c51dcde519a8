import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { EPISODE_PAGE_TYPE } from '#contracts/podcast/index.ts';
import { SITE_OPTION } from '#origin/platform/site/index.ts';
import type { Database } from '#origin/platform/store/index.ts';
import { shareNext } from '#origin/platform/store/store-version.ts';
import { PODCAST_OPTION } from '../record.ts';

/** A feed as it is sent. */
export interface FeedText {
  text: string;
  /** With its quotes; it depends on the text alone. */
  etag: string;
  updated: Date;
}

/** Most feeds and pages of feeds in the cache; each has at most some hundred episodes. */
const MAX_KEPT = 50;
/** Letters of all of them, as episodes may have long notes. */
const MAX_LETTERS = 64_000_000;

interface KeptMade<T> {
  state: string;
  made: Promise<T | undefined>;
  /** 0 while it is made. */
  letters: number;
}

/** Cache of documents made from the store. They are made again when anything that they may depend on has changed. */
export class Kept<T> {
  /** What was asked for longest ago comes first. */
  readonly #kept = new Map<string, KeptMade<T>>();
  readonly #readState: () => Promise<string>;
  readonly #lettersOf: (value: T) => number;

  /** @param read what the store is like: another text after a write */
  constructor(read: () => Promise<string>, lettersOf: (value: T) => number) {
    this.#readState = shareNext(read);
    this.#lettersOf = lettersOf;
  }

  /** @param make undefined for what there is not, which is not kept */
  async get(key: string, make: () => Promise<T | undefined>): Promise<T | undefined> {
    // Read before anything is made: a write in between is seen by the next request.
    const state = await this.#readState();
    const known = this.#kept.get(key);
    const kept = known?.state === state ? known : { state, made: make(), letters: 0 };
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    if (kept === known) return kept.made;
    const forget = () => void (this.#kept.get(key) === kept && this.#kept.delete(key));
    void kept.made.then((value) => {
      if (value === undefined) return forget();
      kept.letters = this.#lettersOf(value);
      this.#forgetOldest();
    }, forget);
    return kept.made;
  }

  /** What is being made is forgotten by itself when there is no such thing: it pushes nothing out. */
  #forgetOldest(): void {
    const made = [...this.#kept].filter(([, { letters }]) => letters > 0);
    let sum = made.reduce((all, [, { letters }]) => all + letters, 0);
    for (const [i, [key, { letters }]] of made.entries()) {
      const left = made.length - i;
      if (left === 1 || (left <= MAX_KEPT && sum <= MAX_LETTERS)) return;
      this.#kept.delete(key);
      sum -= letters;
    }
  }
}

/** A text with its ETag, which stays while the text does. */
export function seal({ text, updated }: Pick<FeedText, 'text' | 'updated'>): FeedText {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 32);
  return { text, updated, etag: `"${digest}"` };
}

const stateRows = z.object({ rows: z.tuple([z.object({ state: z.string() })]) });

/**
 * What the rows are like that feeds are made of: another text after any write to them, by whatever program. It adds up
 * which transactions wrote them (`xmin`), so it reads no texts and takes a millisecond.
 */
export async function readState(db: Database): Promise<string> {
  const sum = sql`concat(count(*), ':', coalesce(sum(xmin::text::bigint), 0))`;
  const shown = sql`type in ('post', ${EPISODE_PAGE_TYPE})`;
  const answer: unknown = await db.execute(sql`
    select concat_ws('/',
      (select ${sum} from content where ${shown}),
      (select ${sum} from content where type = 'attachment'
        and id in (select featured_media from content where type = ${EPISODE_PAGE_TYPE} and featured_media > 0)),
      (select ${sum} from podcast_episode),
      (select ${sum} from podcast_media_file),
      (select ${sum} from podcast_asset),
      (select ${sum} from podcast_feed),
      (select ${sum} from podcast_show),
      (select ${sum} from option where name in (${PODCAST_OPTION}, ${SITE_OPTION}))) as state`);
  return stateRows.parse(answer).rows[0].state;
}
