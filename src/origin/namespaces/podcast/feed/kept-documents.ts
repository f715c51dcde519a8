import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { EPISODE_PAGE_TYPE } from '#contracts/podcast/index.ts';
import type { Database } from '#origin/platform/store/index.ts';

/** A feed as it is sent. */
export interface FeedText {
  text: string;
  /** With its quotes: another one for another text. */
  etag: string;
  updated: Date;
}

/** Feeds and pages of feeds that are kept; each has at most some hundred episodes. */
const MAX_KEPT = 50;

interface Kept {
  state: string;
  document: Promise<FeedText | undefined>;
}

/** Feeds as they were written last. One is written again when anything that it may be made of has changed. */
export class KeptDocuments {
  readonly #kept = new Map<string, Kept>();

  /**
   * @param state what the store was like before the document is composed: see `readState`
   * @param compose undefined for a document that there is not, which is not kept
   */
  async get(
    key: string,
    state: string,
    compose: () => Promise<{ text: string; updated: Date } | undefined>,
  ): Promise<FeedText | undefined> {
    const known = this.#kept.get(key);
    if (known?.state === state) return known.document;
    const document = compose().then((made) => made && { ...made, etag: `"${digest(made.text)}"` });
    this.#kept.delete(key);
    this.#kept.set(key, { state, document });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    const forget = () => void (this.#kept.get(key)?.document === document && this.#kept.delete(key));
    void document.then((made) => made ?? forget(), forget);
    return document;
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
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
      (select ${sum} from option where name in ('podcast', 'site'))) as state`);
  return stateRows.parse(answer).rows[0].state;
}
