import type { Placeholder, SQL } from 'drizzle-orm';
import type { SendLast, Transaction } from '#origin/platform/store/query-errors.ts';
import type { ContentKinds, ContentRow } from './content-kind.ts';

/** IDs of rows that a transaction has written or deleted. */
export interface ChangedRows {
  content?: readonly number[];
  /** New content rows, which have no children and no derived rows yet. */
  added?: readonly ContentRow[];
  /** True if the data that listeners derive from its authors is up to date: see `Follower.knowsAuthor`. */
  areAuthorsKnown?: boolean;
  terms?: readonly number[];
  users?: readonly number[];
  /** Unchanged content whose comments were written or deleted. */
  commented?: readonly number[];
}

/** Updates the derived data of a namespace in the transaction that writes the source rows. */
export interface ChangeListener {
  /** @param last sends the final statements of the transaction, if the caller sends none after them */
  follow(tx: Transaction, changed: ChangedRows, site: ListenerContext, last?: SendLast): Promise<void>;
  /**
   * Condition that is true if new content of an author doesn't change the data derived from the author. @param author
   * user ID
   */
  knowsAuthor?: (author: Placeholder) => SQL;
}

/** Dependencies of listeners. */
export interface ListenerContext {
  kinds: ContentKinds;
  followers: readonly ChangeListener[];
  /** Address of the site, without a trailing slash. */
  publicUrl: string;
  /** Settings of the site, if already loaded. */
  site?: { url?: string | undefined };
}

/**
 * Notifies all listeners. Call it in every `writeContent` transaction that writes content, terms, users or comments,
 * after the rows have their final values.
 */
export async function notifyListeners(
  tx: Transaction,
  site: ListenerContext,
  changed: ChangedRows,
  last?: SendLast,
): Promise<void> {
  for (const follower of site.followers) await follower.follow(tx, changed, site, last);
}
