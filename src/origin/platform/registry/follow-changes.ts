import type { Placeholder, SQL } from 'drizzle-orm';
import type { SendLast, Transaction } from '#origin/platform/store/index.ts';
import type { ContentKinds, ContentRow } from './content-kind.ts';

/** Ids of rows that a transaction has written or deleted. */
export interface ChangedRows {
  content?: readonly number[];
  /** Content that was added just now, as it is: nothing stands below it, and nothing was derived from it. */
  added?: readonly ContentRow[];
  /** Whether its authors are known to all followers: see `Follower.knowsAuthor`. */
  areAuthorsKnown?: boolean;
  terms?: readonly number[];
  users?: readonly number[];
  /** Content whose comments were written or deleted, while it stayed as it was. */
  commented?: readonly number[];
}

/** Keeps what a namespace derives from rows in step with them, in the transaction that writes them. */
export interface Follower {
  /** @param last takes the statements after which there are none, where the caller sends none either */
  follow(tx: Transaction, changed: ChangedRows, site: FollowedSite, last?: SendLast): Promise<void>;
  /** Whether content that an author adds leaves what is derived from the author as it is. @param author an id */
  knowsAuthor?: (author: Placeholder) => SQL;
}

/** What following takes. */
export interface FollowedSite {
  kinds: ContentKinds;
  followers: readonly Follower[];
  /** Without a slash at the end. */
  publicUrl: string;
  /** Settings of the site, where they were read already. */
  site?: { url?: string | undefined };
}

/**
 * Call it in every transaction of `writeContent` that writes content, terms, users or comments, when the rows are as they
 * will be: what is counted of them is not counted twice at once.
 */
export async function followChanges(
  tx: Transaction,
  site: FollowedSite,
  changed: ChangedRows,
  last?: SendLast,
): Promise<void> {
  for (const follower of site.followers) await follower.follow(tx, changed, site, last);
}
