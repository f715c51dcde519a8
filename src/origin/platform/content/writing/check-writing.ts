import { eq } from 'drizzle-orm';
import { can, type Caller } from '#origin/platform/http/callers/index.ts';
import type { CheckScope, ParameterCheck, AnyCall, RestError } from '#origin/platform/http/transport/index.ts';
import { listWords } from '#origin/platform/http/transport/list-words.ts';
import type { ContentKind, ContentRow } from '#origin/platform/registry/content-kind.ts';
import { runAside } from '#origin/platform/render/aside/index.ts';
import { plainText } from '#origin/platform/render/index.ts';
import type { Transaction } from '#origin/platform/store/index.ts';
import { user } from '#origin/platform/store/schema.ts';
import { findRow } from '../answer-item.ts';

/** The key whose JSON may contain HTML; `filterWritten` filters it. */
const FOOTNOTES = 'footnotes';

/** Checks that depend on the site or on the stored row: sending back the stored value is always valid. */
export function writingChecks(kind: ContentKind): Readonly<Record<string, ParameterCheck>> {
  return {
    status: async (sent, scope) => {
      const row = await presentRow(kind, scope);
      return row && sent === row.status ? { accepted: sent } : undefined;
    },
    template: async (sent, scope) => {
      if (typeof sent !== 'string' || sent === '' || kind.templates.includes(sent)) return undefined;
      if (sent === (await presentRow(kind, scope))?.template) return undefined;
      return { code: 'rest_invalid_param', text: `template is not one of ${listWords(kind.templates)}.` };
    },
  };
}

async function presentRow(kind: ContentKind, scope: CheckScope): Promise<ContentRow | undefined> {
  const id = Number(scope.sent('id'));
  return Number.isSafeInteger(id) ? findRow(scope, kind, id) : undefined;
}

interface Texts {
  title?: string | undefined;
  content?: string | undefined;
  excerpt?: string | undefined;
  meta?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Filters the sent texts by what the caller may write. Filtering long texts takes time, so call it before a
 * transaction, where others would wait.
 */
export async function filterWritten<T extends Texts>(sent: T, caller: Caller): Promise<T> {
  if (can(caller, 'unfiltered_html')) return sent;
  const { title, content, excerpt, meta } = sent;
  const footnotes = meta?.[FOOTNOTES];
  return {
    ...sent,
    ...(title === undefined ? {} : { title: await runAside('filterInline', title) }),
    ...(content === undefined ? {} : { content: await runAside('filter', content) }),
    ...(excerpt === undefined ? {} : { excerpt: await runAside('filter', excerpt) }),
    ...(typeof footnotes === 'string'
      ? { meta: { ...meta, [FOOTNOTES]: await runAside('footnotes', footnotes) } }
      : {}),
  };
}

/** The error for a `meta` value that is not a text. Reported after everything else is written, as clients expect. */
export function wrongMetaError(key: string, { refuse }: AnyCall<'rest_invalid_type'>): RestError {
  const param = `meta.${key}`;
  return refuse('rest_invalid_type', `${param} is not of type string.`, { additionalData: [{ param }] });
}

type Meta = Readonly<Record<string, string>>;

interface MergedMeta {
  meta: Meta;
  /** The first key whose value is no text: it and those behind it are not merged. */
  wrongKey?: string;
}

/** Values of a row as a write leaves them: known keys only, null takes a value away, others keep theirs. */
export function mergeMeta(keys: readonly string[], before: Meta, sent: Readonly<Record<string, unknown>>): MergedMeta {
  const meta: Record<string, string> = { ...before };
  for (const key of keys) {
    const value = sent[key];
    if (value === undefined) continue;
    if (value === null) delete meta[key];
    else if (typeof value !== 'string') return { meta, wrongKey: key };
    else meta[key] = key === FOOTNOTES ? value : plainText(value);
  }
  return { meta };
}

/** @throws when there is no user under the id that was sent for the author */
export async function requireAuthor(tx: Transaction, call: AuthorCall, id: number): Promise<number> {
  if (!(await hasUser(tx, id))) throw noAuthor(call);
  return id;
}

export async function hasUser(tx: Transaction, id: number): Promise<boolean> {
  return (await tx.select({ id: user.id }).from(user).where(eq(user.id, id)).limit(1)).length > 0;
}

type AuthorCall = Pick<AnyCall<'rest_invalid_author'>, 'refuse'>;

export function noAuthor({ refuse }: AuthorCall): RestError {
  return refuse('rest_invalid_author', 'There is no user under the id of the author.');
}
