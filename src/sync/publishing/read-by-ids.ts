import { z } from 'zod';
import {
  readCount,
  upstreamError,
  type FailedAnswer,
  type ListedPage,
  type OddPage,
  type PublishingClient,
} from '#client/index.ts';
import { MAX_PER_PAGE } from '#contracts/core/index.ts';
import { SortimentError } from '#contracts/index.ts';
import { allowance } from '../guard/allowance.ts';
import type { PublishingKind } from './publishing-kinds.ts';

/** Rows of a list, as far as they can be read. */
export interface ReadRows extends Pick<ListedPage<unknown>, 'rows' | 'problems'> {
  /** Rows that the site has, and answers for with something else. */
  unread?: UnreadRow[];
}

export interface UnreadRow {
  id: string;
  answer: FailedAnswer;
}

/** Beyond this share of a page it is not the rows that are bad. */
const MAX_UNREAD_SHARE = 0.2;
/** So many in a row, before one was read. */
const MAX_AT_FIRST = 10;

const idRow = z.object({ id: z.int() });

/**
 * One row that makes the site fail (a plugin that dies of it, a firewall that dislikes a word) takes its page of 100
 * with it: then the ids of the page are asked for alone, and the rows in halves, down to the bad one.
 */
export function rescuePage(client: PublishingClient, kind: PublishingKind, rowsRead: { readonly count: number }) {
  return async ({
    query,
    answer,
    page,
  }: OddPage): Promise<ListedPage<unknown> & ReadRows & { pages: number | undefined }> => {
    const ids = await client.call({ ...kind.list, response: z.array(idRow) }, {
      query: { ...query, _fields: 'id' },
    } as object);
    if (ids.kind !== 'ok') throw upstreamError(answer, ADDRESS_HINT);
    const rows = ids.value.body as z.output<typeof idRow>[];
    const read = await readByIds(
      client,
      kind,
      rows.map(({ id }) => id),
      rowsRead,
    );
    return {
      ...read,
      page,
      total: readCount(ids.headers['x-wp-total']),
      pages: readCount(ids.headers['x-wp-totalpages']),
    };
  };
}

/**
 * Reads exactly these rows; those that the site no longer shows are left out.
 * @param rowsRead How many rows the site has answered well for in this run.
 * @throws SortimentError UPSTREAM_… when so many can't be read that the site is to blame, not the rows.
 */
export async function readByIds(
  client: PublishingClient,
  kind: Pick<PublishingKind, 'list'>,
  ids: readonly number[],
  rowsRead: { readonly count: number },
): Promise<Required<ReadRows>> {
  const read: Required<ReadRows> = { rows: [], problems: [], unread: [] };
  const allowed = allowance(ids.length, MAX_UNREAD_SHARE);

  const readSome = async (some: readonly number[]): Promise<void> => {
    const answer = await client.call(kind.list, { query: { include: some, per_page: MAX_PER_PAGE } } as object);
    if (answer.kind === 'ok') {
      const { body, problems } = answer.value;
      const rows = body as { id: number }[];
      if (rows.some(({ id }) => !some.includes(id))) throw unfiltered(answer.url);
      read.rows.push(...rows);
      read.problems.push(...problems);
      return;
    }
    if (some.length > 1) {
      const middle = Math.ceil(some.length / 2);
      await readSome(some.slice(0, middle));
      await readSome(some.slice(middle));
      return;
    }
    read.unread.push(...some.map((id) => ({ id: String(id), answer })));
    const isAnsweredWell = rowsRead.count + read.rows.length + read.problems.length > 0;
    if (read.unread.length > allowed || (!isAnsweredWell && read.unread.length >= Math.min(MAX_AT_FIRST, ids.length))) {
      throw upstreamError(answer, ADDRESS_HINT);
    }
  };

  for (let start = 0; start < ids.length; start += MAX_PER_PAGE) await readSome(ids.slice(start, start + MAX_PER_PAGE));
  return read;
}

const ADDRESS_HINT = {
  addressHint: 'Correct PUBLISHING_URL, PUBLISHING_REST_ROOT or PUBLISHING_NAMESPACES in the environment.',
};

/** Who answers something else has not said that what was asked for is gone. */
function unfiltered(url: string): SortimentError {
  return new SortimentError('UPSTREAM_UNREADABLE', `[GET] "${url}": holds rows that were not asked for.`, {
    hint: 'The site seems to ignore `include`: look for a cache or a plugin that does.',
  });
}
