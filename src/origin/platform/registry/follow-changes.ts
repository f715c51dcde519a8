import type { Transaction } from '#origin/platform/store/index.ts';
import type { ContentKinds, ContentRow } from './content-kind.ts';

/** Ids of rows that a transaction has written or deleted. */
export interface ChangedRows {
  content?: readonly number[];
  /** Content that was added just now, as it is: nothing stands below it, and nothing was derived from it. */
  added?: readonly ContentRow[];
  terms?: readonly number[];
  users?: readonly number[];
  /** Content whose comments were written or deleted, while it stayed as it was. */
  commented?: readonly number[];
}

/** Keeps what a namespace derives from rows in step with them, in the transaction that writes them. */
export type Follow = (tx: Transaction, changed: ChangedRows, site: FollowedSite) => Promise<void>;

/** What following takes. */
export interface FollowedSite {
  kinds: ContentKinds;
  followers: readonly Follow[];
  /** Without a slash at the end. */
  publicUrl: string;
  /** Settings of the site, where they were read already. */
  site?: { url?: string | undefined };
}

/**
 * Call it in every transaction of `writeContent` that writes content, terms, users or comments, when the rows are as they
 * will be: what is counted of them is not counted twice at once.
 */
export async function followChanges(tx: Transaction, site: FollowedSite, changed: ChangedRows): Promise<void> {
  for (const follow of site.followers) await follow(tx, changed, site);
}
