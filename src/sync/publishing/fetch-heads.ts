import {
  PUBLISHING_HINTS,
  upstreamError,
  type FailedAnswer,
  type PublishingClient,
  type PublishingSite,
} from '#client/index.ts';
import { isSortimentError, trimEndOf } from '#contracts/index.ts';
import { HEAD, SUBJECT_KINDS, subjectOf } from '#contracts/synced/index.ts';
import type { HeadRow, HeadSubject } from '#contracts/synced/index.ts';
import { allowance } from '../guard/allowance.ts';
import { mapConcurrently } from '../map-concurrently.ts';
import type { SyncRun } from '../sync-run.ts';
import { listWith, RouteLackingError, type ReadRows } from './read-rows.ts';
import { stageRows } from './stage-rows.ts';

/** What a head can be about, at its address. */
interface Page {
  subject: HeadSubject;
  url: string;
  isChanged: boolean;
}

export interface HeadsToRead {
  /** Only what was changed after this moment of the server's clock; undefined for all. */
  changedAfter: Date | undefined;
  /** Whether heads that are told one by one are read although nothing is known to have changed. */
  areDue: boolean;
}

/** More than the transport sends at once, so that it never waits. */
const HEADS_AT_ONCE = 16;
/** Above this share of all, the server is to blame and not its pages; and so many in a row before the first good one. */
const MAX_FAILED_SHARE = 0.2;
const MAX_FAILED = 10;

/**
 * Reads the heads of the pages that posts, pages, episodes, terms and authors have, and that of the home page: those
 * that have changed from the list of all heads, or, from a server without such a list, one by one by the addresses of
 * the records that have changed. A head goes with its record.
 * @returns False if heads may have changed since they were stored: those of pages that were not asked for.
 * @throws RouteLackingError when the server has neither route.
 * @throws SortimentError UPSTREAM_… when a route can't be read; what is stored of all heads should stay then.
 */
export async function fetchHeads(
  run: SyncRun,
  { client, site }: { client: PublishingClient; site: PublishingSite },
  { changedAfter, areDue }: HeadsToRead,
  rowsRead: { count: number },
): Promise<boolean> {
  const pages = pagesOf(run, site);
  const stored = new Set([...run.snapshot.records('head')].map(({ id }) => id));
  /** What the server has said of it counts, and be it that there is no head. */
  const answered = new Set<string>();
  const stage = (rows: HeadRow[], unread: ReadRows['unread'] = []) => {
    for (const id of [...rows.map(({ subject }) => idOf(subject)), ...unread.map((row) => row.id)]) answered.add(id);
    stageRows(run, HEAD, { problems: [], unread, rows: rows as never }, rowsRead);
  };
  const after = stored.size === 0 ? undefined : changedAfter;
  const isListed = await readList(client, after, (rows) =>
    stage(rows.filter(({ subject }) => pages.has(idOf(subject)))),
  );
  const oneByOne = { stage, drop: (subject: HeadSubject) => void answered.add(idOf(subject)) };
  const all = areDue || stored.size === 0;
  if (!isListed) await readOneByOne(client, [...pages.values()], { all, ...oneByOne });
  // A server may know of its home page only when it was asked for it.
  const isHomeKnown = answered.has('home/0') || (after !== undefined && stored.has('home/0'));
  if (isListed && !isHomeKnown) {
    const home = [...pages.values()].filter(({ subject }) => subject.kind === 'home');
    await readOneByOne(client, home, { all: true, ...oneByOne }).catch((error: unknown) => {
      if (!(error instanceof RouteLackingError)) throw error;
    });
  }
  // What was not read again stays as long as the page that it is about.
  if (isListed && after === undefined) return true;
  for (const id of stored)
    if (pages.has(id) && !answered.has(id)) run.staging.stageRecord({ kind: HEAD.kind, id, position: 0 });
  return isListed || all;
}

function idOf({ kind, id }: HeadSubject): string {
  return `${kind}/${id}`;
}

/** By the ids of their heads. */
function pagesOf({ staging }: SyncRun, site: PublishingSite): Map<string, Page> {
  const pages = SUBJECT_KINDS.flatMap((kind) =>
    staging.linksOf(kind).map(({ id, page = id, link, isChanged }): Page => {
      return { subject: { kind, id: page }, url: link, isChanged };
    }),
  );
  const home: Page = {
    subject: { kind: 'home', id: 0 },
    // Servers tell a home page by its slash.
    url: `${trimEndOf(site.home || site.siteUrl, '/')}/`,
    isChanged: false,
  };
  return new Map([home, ...pages].map((page) => [idOf(page.subject), page]));
}

/** Reads the list of heads to its end. @returns Whether the server has one. */
async function readList(
  client: PublishingClient,
  changedAfter: Date | undefined,
  stage: (rows: HeadRow[]) => void,
): Promise<boolean> {
  const query = changedAfter ? { modified_after: changedAfter.toISOString() } : {};
  try {
    for await (const { rows } of listWith(client, HEAD.list, query)) {
      stage(
        (rows as never[]).flatMap((row: Parameters<typeof subjectOf>[0] & Omit<HeadRow, 'subject'>) => {
          const subject = subjectOf(row);
          return subject ? [{ ...row, subject }] : [];
        }),
      );
    }
    return true;
  } catch (error) {
    if (isSortimentError(error) && error.code === 'UPSTREAM_WRONG_ADDRESS') return false;
    throw error;
  }
}

interface OneByOne {
  /** Whether all are asked for, or only those whose records have changed. */
  all: boolean;
  stage(rows: HeadRow[], unread?: ReadRows['unread']): void;
  /** There is no head for it, or none any more. */
  drop(subject: HeadSubject): void;
}

/** Asks for heads by the addresses of their pages. What a server has no head for goes without. */
async function readOneByOne(
  client: PublishingClient,
  pages: readonly Page[],
  { all, stage, drop }: OneByOne,
): Promise<void> {
  const read = async ({ subject, url }: Page) => {
    const answer = await client.call(HEAD.item, { query: { url } });
    return { subject, url, answer };
  };
  const failed: FailedAnswer[] = [];
  let answered = 0;
  const [first, ...others] = pages.filter(({ isChanged }) => all || isChanged);
  if (!first) return;
  const takeIn = ({ subject, url, answer }: Awaited<ReturnType<typeof read>>): void => {
    if (answer.kind === 'gone' && answer.sample.includes('rest_no_route')) throw new RouteLackingError(false);
    if (answer.kind === 'ok' || answer.kind === 'gone') answered += 1;
    if (answer.kind === 'ok') stage([{ subject, url, head: answer.value.body.json }]);
    if (answer.kind === 'gone') drop(subject);
    if (answer.kind === 'ok' || answer.kind === 'gone') return;
    failed.push(answer);
    if (failed.length > allowance(pages.length, MAX_FAILED_SHARE) || (answered === 0 && failed.length >= MAX_FAILED)) {
      throw upstreamError(answer, PUBLISHING_HINTS);
    }
    stage([], [{ id: idOf(subject), answer }]);
  };
  // Alone, because it shows whether there is such a route.
  takeIn(await read(first));
  for await (const one of mapConcurrently(others, HEADS_AT_ONCE, read)) takeIn(one);
}
