import { eq, and, getTableColumns, inArray, or, sql } from 'drizzle-orm';
import { created, type Answer } from '#origin/platform/http/transport/index.ts';
import type { ContentKind, ContentRow } from '#origin/platform/registry/content-kind.ts';
import { followChanges } from '#origin/platform/registry/follow-changes.ts';
import { loadSite } from '#origin/platform/site/index.ts';
import { idPlaceholders, idValues, prepareOnce, rowPlaceholders } from '#origin/platform/store/prepare-once.ts';
import type { SendLast, Transaction } from '#origin/platform/store/index.ts';
import { content, contentTerm, term } from '#origin/platform/store/schema.ts';
import { eventMessage, insertMessage } from '#origin/platform/events/index.ts';
import { keepAroundNew, termsAsJson } from '../content-view.ts';
import { linkContent } from '../link-content.ts';
import { loadAncestors, type TermRow } from '../load-ancestors.ts';
import { findFreeSlug, takeId, type TakenId } from '../slugs.ts';
import { writeContent } from '../write-content.ts';
import { filterWritten, wrongMetaError } from './check-writing.ts';
import {
  isSelfContained,
  NO_REFERENCES,
  findReferences,
  planRow,
  type PlannedContent,
  type WritingScope,
  type WritingCall,
  type WrittenContent,
} from './plan-content.ts';
import { presentWritten, type Present } from './present-written.ts';

/** Writes a new row and answers it as its editors see it. */
export async function createContent<T>(call: WritingCall, kind: ContentKind, present: Present<T>): Promise<Answer<T>> {
  const { context, caller, body, addresses } = call;
  const site = await loadSite(call);
  const scope = {
    kind,
    kinds: context.kinds,
    followers: context.followers,
    caller,
    site,
    publicUrl: addresses.site,
    refuse: call.refuse,
  };
  const sent = await filterWritten(body, caller);
  // Where nothing stored decides on it, what is refused is refused before others have to wait.
  const early = isSelfContained(sent, scope)
    ? planRow(sent, undefined, { ...scope, now: new Date() }, NO_REFERENCES).row
    : undefined;
  const { row, terms, wrongMeta } = await writeContent(
    context.store.db,
    (tx, now, taken: TakenId | undefined, last) => addContent(tx, sent, { ...scope, now }, { taken, last }),
    early && ((tx) => takeId(tx, early, scope.followers)),
  );
  if (wrongMeta !== undefined) throw wrongMetaError(wrongMeta, call);
  keepAroundNew(call, kind, row, await terms);
  return created(await presentWritten(call, kind, row, present), addresses.rest(`${kind.base}/${row.id}`));
}

type NamedRow = typeof content.$inferInsert & Pick<ContentRow, 'id' | 'type'>;

interface Added {
  row: ContentRow;
  /** There when the transaction has ended, at the latest. */
  terms: Promise<readonly TermRow[]>;
  wrongMeta: string | undefined;
}

export interface AddOptions {
  /** What `takeId` has found for the row, where it could be asked before. */
  taken?: TakenId | undefined;
  /** There where nothing is written after the row. */
  last?: SendLast;
}

/** Writes a new row with its first terms, and announces it. Call it under `writeContent`. */
export async function addContent(
  tx: Transaction,
  sent: WrittenContent,
  scope: WritingScope,
  { taken, last }: AddOptions = {},
): Promise<Added> {
  const references = taken ? NO_REFERENCES : await findReferences(tx, sent, undefined, scope);
  const { row: planned, wrongMeta } = planRow(sent, undefined, scope, references);
  // What is refused takes no id.
  const { id, isTaken, isAuthorKnown } = taken ?? (await takeId(tx, planned, scope.followers));
  const named = { ...planned, id, ...(await nameRow(tx, { ...planned, id }, isTaken, scope)) };
  const row = asStored(named);
  const terms = insertContent(tx, named, firstTerms(named, sent, scope));
  const follow = () => followChanges(tx, scope, { added: [row], areAuthorsKnown: isAuthorKnown }, last);
  if (scope.kind.save) {
    await terms;
    await scope.kind.save(tx, row, sent);
    await follow();
  } else if (last) {
    last(terms);
    await follow();
  } else {
    // They are sent at once, and all are answered before anything is undone.
    await allOf([terms, follow()]);
  }
  return { row, terms, wrongMeta };
}

type TermIds = readonly (readonly [taxonomy: string, ids: readonly number[]])[];

/** Adds a row with its terms, and tells receivers: one statement. @returns those of the terms that there are */
async function insertContent(tx: Transaction, row: NamedRow, termIds: TermIds): Promise<TermRow[]> {
  const message =
    row.status === 'publish' ? eventMessage({ what: row.type, id: String(row.id), action: 'created' }) : undefined;
  const wanted = termIds
    .map(([taxonomy, ids]) => [taxonomy, [...new Set(ids)]] as const)
    .filter(([, ids]) => ids.length > 0);
  const values = { ...row, message, ...idValues(wanted.flatMap(([, ids]) => ids)) };
  const counts = wanted.map(([taxonomy, ids]) => [taxonomy, ids.length] as const);
  const [added] = await insertStatement(
    tx,
    values,
    Object.keys(row) as (keyof NamedRow)[],
    counts,
    message !== undefined,
  );
  return added?.terms ?? [];
}

const insertStatement = prepareOnce(
  (
    db,
    names: readonly (keyof NamedRow)[],
    counts: readonly (readonly [taxonomy: string, ids: number])[],
    isTold: boolean,
  ) => {
    const ids = idPlaceholders(counts.reduce((sum, [, count]) => sum + count, 0));
    const areWanted = counts.map(([taxonomy, count]) =>
      and(eq(term.taxonomy, taxonomy), inArray(term.id, ids.splice(0, count))),
    );
    const wanted = db.$with('wanted').as(
      db
        .select()
        .from(term)
        .where(or(...areWanted)),
    );
    const carried = db.$with('carried').as(
      db
        .insert(contentTerm)
        .select(sql`select ${sql.placeholder('id')}::bigint, id from wanted`)
        .returning(),
    );
    const told = db.$with('told').as(insertMessage(db, sql.placeholder('message')).returning());
    const hasTerms = counts.length > 0;
    return db
      .with(...(hasTerms ? [wanted, carried] : []), ...(isTold ? [told] : []))
      .insert(content)
      .values(rowPlaceholders(names) as unknown as NamedRow)
      .returning({
        terms: sql<TermRow[] | null>`${hasTerms ? sql`(select ${termsAsJson('wanted')} from wanted)` : null}`,
      })
      .prepare('');
  },
);

const USUAL = Object.fromEntries(
  Object.entries(getTableColumns(content)).flatMap(([name, column]) =>
    column.default === undefined ? [] : [[name, column.default]],
  ),
);

/** A row as the store would give it back. */
function asStored(row: typeof content.$inferInsert): ContentRow {
  const texts = Object.entries(row).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.toWellFormed() : value,
  ]);
  return { ...USUAL, ...Object.fromEntries(texts) } as ContentRow;
}

/** Like `Promise.all`, but waits for all of them when one fails. */
async function allOf<T extends readonly unknown[]>(promises: T): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}

/** The address that stays its own, and a slug that can't be made from words, come from the id. */
async function nameRow(tx: Transaction, row: PlannedContent & { id: number }, isTaken: boolean, scope: WritingScope) {
  const { id, type, status, parentId } = row;
  const isNamed = row.slug !== '' || ['draft', 'pending', 'auto-draft'].includes(status);
  const isFree = isNamed && (!isTaken || row.slug === '');
  const owner = { id, type, parentId, slug: undefined };
  const slug = isFree ? row.slug : await findFreeSlug(tx, isNamed ? row.slug : String(id), owner);
  const address = linkContent(
    { id, type, status, slug, parentId },
    { site: scope.site.url ?? scope.publicUrl, kinds: scope.kinds },
    await loadAncestors(tx, [{ parentId }]),
  );
  // Clients put it into markup as it is.
  return { slug, guid: address.replaceAll('&', '&#038;') };
}

/** Ids of terms that a new row carries, by their kind. */
function firstTerms(
  row: Pick<PlannedContent, 'status'>,
  sent: WrittenContent,
  { kind, site }: WritingScope,
): [taxonomy: string, ids: number[]][] {
  return kind.terms.map(({ taxonomy, parameter, hasDefault }) => {
    const usual = hasDefault && row.status !== 'auto-draft' ? [site.default_category] : [];
    return [taxonomy, termsSent(sent, parameter) ?? usual];
  });
}

/** Makes these the terms of one kind that a row carries; ids that are no such terms are left out. */
export async function assignTerms(
  tx: Transaction,
  contentId: number,
  taxonomy: string,
  ids: readonly number[],
): Promise<void> {
  const ofKind = tx.select({ id: term.id }).from(term).where(eq(term.taxonomy, taxonomy));
  await tx.delete(contentTerm).where(and(eq(contentTerm.contentId, contentId), inArray(contentTerm.termId, ofKind)));
  await addTerms(tx, contentId, taxonomy, ids);
}

/** The same for a row that carries none of them. */
async function addTerms(tx: Transaction, contentId: number, taxonomy: string, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const known = tx
    .select({ contentId: sql<number>`${contentId}::bigint`.as('content_id'), termId: term.id })
    .from(term)
    .where(and(eq(term.taxonomy, taxonomy), inArray(term.id, [...new Set(ids)])));
  await tx.insert(contentTerm).select(known);
}

/** Ids of terms that were sent under a field of the body. */
export function termsSent(sent: WrittenContent, parameter: string): number[] | undefined {
  const ids: unknown = sent[parameter];
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'number') : undefined;
}
