import { isSortimentError, trimTrailing } from '#contracts/index.ts';
import { HEAD, SUBJECT_KINDS, findHeadSubject, type HeadRow, type HeadSubject } from '#contracts/synced/index.ts';
import { mapConcurrently, type SiteRun } from '../sync-options.ts';
import { limitFailures, listRows, MAX_FAILED_AT_START, MissingRouteError, type ReadRows } from './read-rows.ts';
import { stageRows } from './stage-rows.ts';

/** A page that can have a head. */
interface Page {
  subject: HeadSubject;
  url: string;
  isChanged: boolean;
}

/** More than the transport sends at once, so that it never waits. */
const HEADS_AT_ONCE = 16;

/**
 * Reads the heads of posts, pages, episodes, terms and authors, and that of the home page. Uses the server's list of
 * changed heads. Without such a list, requests heads one by one for changed records. A head is removed with its record.
 * @param changedAfter Reads only heads changed after this time of the server's clock; undefined for all.
 * @param areDue True to read heads one by one even if no change is known.
 * @returns False if stored heads may be outdated, because their pages were not requested.
 * @throws MissingRouteError if the server has neither route.
 * @throws SortimentError UPSTREAM_… if a route can't be read. The stored heads should then stay.
 */
export async function fetchHeads(run: SiteRun, changedAfter: Date | undefined, areDue: boolean): Promise<boolean> {
  const pages = pagesOf(run);
  const stored = new Set([...run.snapshot.records('head')].map(({ id }) => id));
  /** Pages for which the server responded, with or without a head. */
  const answered = new Set<string>();
  const stage = (rows: HeadRow[], unread: ReadRows['unread'] = []) => {
    for (const id of [...rows.map(({ subject }) => idOf(subject)), ...unread.map((row) => row.id)]) answered.add(id);
    stageRows(run, HEAD, { problems: [], unread, rows: rows as never });
  };
  const after = stored.size === 0 ? undefined : changedAfter;
  const isListed = await readList(run, after, (rows) => stage(rows.filter(({ subject }) => pages.has(idOf(subject)))));
  const handlers = { stage, drop: (subject: HeadSubject) => void answered.add(idOf(subject)) };
  const readsAll = areDue || stored.size === 0;
  if (!isListed) await readOneByOne(run, [...pages.values()], { readsAll, ...handlers });
  // Some servers list the head of the home page only after it was requested.
  const isHomeKnown = answered.has('home/0') || (after !== undefined && stored.has('home/0'));
  if (isListed && !isHomeKnown) {
    const home = [...pages.values()].filter(({ subject }) => subject.kind === 'home');
    await readOneByOne(run, home, { readsAll: true, ...handlers }).catch((error: unknown) => {
      if (!(error instanceof MissingRouteError)) throw error;
    });
  }
  // Other heads stay as long as their page exists.
  if (isListed && after === undefined) return true;
  for (const id of stored)
    if (pages.has(id) && !answered.has(id)) run.staging.stageRecord({ kind: HEAD.kind, id, position: 0 });
  return isListed || readsAll;
}

function idOf({ kind, id }: HeadSubject): string {
  return `${kind}/${id}`;
}

function pagesOf({ staging, site }: SiteRun): Map<string, Page> {
  const pages = SUBJECT_KINDS.flatMap((kind) =>
    staging.linksOf(kind).map(({ id, page = id, link, isChanged }): Page => {
      return { subject: { kind, id: page }, url: link, isChanged };
    }),
  );
  const home: Page = {
    subject: { kind: 'home', id: 0 },
    // Servers identify the home page by its trailing slash.
    url: `${trimTrailing(site.home || site.siteUrl, '/')}/`,
    isChanged: false,
  };
  return new Map([home, ...pages].map((page) => [idOf(page.subject), page]));
}

/**
 * Reads the list of heads to its end.
 * @returns True if the server has a list.
 */
async function readList(
  run: SiteRun,
  changedAfter: Date | undefined,
  stage: (rows: HeadRow[]) => void,
): Promise<boolean> {
  const query = changedAfter ? { modified_after: changedAfter.toISOString() } : {};
  try {
    for await (const { rows } of listRows(run, HEAD.list, query)) {
      stage(
        (rows as never[]).flatMap((row: Parameters<typeof findHeadSubject>[0] & Omit<HeadRow, 'subject'>) => {
          const subject = findHeadSubject(row);
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

interface ReadOptions {
  /** True to request all heads, false for those of changed records. */
  readsAll: boolean;
  stage(rows: HeadRow[], unread?: ReadRows['unread']): void;
  /** Called if a page has no head, or no longer has one. */
  drop(subject: HeadSubject): void;
}

/** Requests heads by the addresses of their pages. A page without a head is skipped. */
async function readOneByOne(
  { client }: SiteRun,
  pages: readonly Page[],
  { readsAll, stage, drop }: ReadOptions,
): Promise<void> {
  const read = async ({ subject, url }: Page) => {
    const answer = await client.call(HEAD.item, { query: { url } });
    return { subject, url, answer };
  };
  let failed = 0;
  let hasGoodAnswer = false;
  const [first, ...rest] = pages.filter(({ isChanged }) => readsAll || isChanged);
  if (!first) return;
  const handleResponse = ({ subject, url, answer }: Awaited<ReturnType<typeof read>>): void => {
    if (answer.kind === 'gone' && answer.sample.includes('rest_no_route')) throw new MissingRouteError(false);
    hasGoodAnswer ||= answer.kind === 'ok' || answer.kind === 'gone';
    if (answer.kind === 'ok') return stage([{ subject, url, head: answer.value.body.json }]);
    if (answer.kind === 'gone') return drop(subject);
    failed += 1;
    // One or two pages may fail: the home page may be the only one that a list of heads omits.
    limitFailures(answer, { failed, total: Math.max(pages.length, MAX_FAILED_AT_START), hasGoodAnswer });
    stage([], [{ id: idOf(subject), answer }]);
  };
  // Send the first request alone, because it shows whether the route exists.
  handleResponse(await read(first));
  for await (const result of mapConcurrently(rest, HEADS_AT_ONCE, read)) handleResponse(result);
}
