import { DRAFT_STATUSES, type DraftRecord } from './draft.ts';
import { EPISODE, HEAD, PAGE, POST, SYNCED_KINDS, type SyncedKind } from './index.ts';
import { toUtc, type SyncedRecord } from './synced-kind.ts';

const STATUSES = ['publish', ...DRAFT_STATUSES];

/** Fields of a row of unpublished content. Servers may omit the slug and the date. */
interface Row {
  id: number;
  slug?: string;
  status?: string;
  date_gmt?: string | null;
  modified_gmt?: string;
}

const published = <R extends Row>(row: R) => ({ ...row, status: 'publish', slug: row.slug || `draft-${row.id}` });

function draftOf({ status: sent, date_gmt, modified_gmt }: Row): { draft?: DraftRecord } {
  const status = DRAFT_STATUSES.find((name) => name === sent);
  const date = status === 'future' && date_gmt ? date_gmt : modified_gmt;
  return status && date ? { draft: { status, date: toUtc(date) } } : {};
}

/** Reads unpublished posts or pages, too. */
const withDrafts = (kind: SyncedKind): SyncedKind => ({
  ...kind,
  query: { status: STATUSES },
  project: (row: Row, texts, warn) => {
    const record = kind.project(published(row), texts, warn);
    return record && { ...record, ...draftOf(row) };
  },
});

/**
 * Reads unpublished episodes, too. Their status is that of their page. Scheduled ones are read again every time, because
 * their publication doesn't change a date.
 */
const episodesWithDrafts = (kind: SyncedKind): SyncedKind => ({
  ...kind,
  query: { status: 'all' },
  ...(kind.page && { page: { ...kind.page, query: { status: STATUSES } } }),
  isListedAs: ({ draft, ...record }: SyncedRecord & { draft?: DraftRecord }, row, texts) =>
    draft?.status !== 'future' && kind.isListedAs?.(record, row, texts) === true,
  project: (row: Row & { v1: Row; page?: Row }, texts, warn) => {
    const { page } = row;
    const v1 = published({ ...row.v1, id: row.id });
    const record = kind.project({ ...row, v1, ...(page && { page: published(page) }) }, texts, warn);
    return record && { ...record, ...(page && draftOf(page)) };
  },
});

/**
 * Kinds of content for a development server that shows drafts. Heads are omitted, because servers have none for drafts;
 * the stored ones stay.
 */
export const DRAFT_KINDS: readonly SyncedKind[] = SYNCED_KINDS.filter(({ kind }) => kind !== HEAD.kind).map((kind) => {
  if (kind.kind === EPISODE.kind) return episodesWithDrafts(kind);
  return kind.kind === POST.kind || kind.kind === PAGE.kind ? withDrafts(kind) : kind;
});
