import { and, eq, inArray } from 'drizzle-orm';
import type { Analysis } from '#analysis/index.ts';
import { updatePost } from '#contracts/core/index.ts';
import type { SeoSettings } from '#contracts/seo/index.ts';
import type { FoundPage } from '#origin/namespaces/seo/head/find-page.ts';
import type { HeadPage, HeadSite, HeadTexts } from '#origin/namespaces/seo/head/head-page.ts';
import { loadHeadScope, loadPages } from '#origin/namespaces/seo/head/load-pages.ts';
import { loadTermTree } from '#origin/namespaces/seo/head/term-tree.ts';
import { changeSeoSettings } from '#origin/namespaces/seo/records/object-settings.ts';
import {
  analysePage,
  countKeyphrases,
  languageOf,
  loadFeaturedAlts,
  otherUses,
  shownTexts,
} from '#origin/namespaces/seo/scores/analyse-page.ts';
import { mayEdit } from '#origin/platform/content/content-rights.ts';
import { linkContent } from '#origin/platform/content/link-content.ts';
import { writeContent } from '#origin/platform/content/write-content.ts';
import { filterWritten } from '#origin/platform/content/writing/check-writing.ts';
import { changeContent } from '#origin/platform/content/writing/update-content.ts';
import { can } from '#origin/platform/http/callers/index.ts';
import { refuser } from '#origin/platform/http/transport/index.ts';
import { kindOf, type ContentRow } from '#origin/platform/registry/content-kind.ts';
import { plainText } from '#origin/platform/render/index.ts';
import { content, term, user } from '#origin/platform/store/schema.ts';
import type { EditorCall } from './editor-call.ts';

/** A row of content, a term or a user, with what the head of its page is made of. */
export interface EditedObject {
  type: string;
  id: number;
  row: ContentRow | undefined;
  page: HeadPage;
  site: HeadSite;
  /** Alternative text of the featured picture; undefined without one. */
  featuredAlt: string | undefined;
}

/** What an editor has written in the form, saved or not. */
export interface Draft {
  name: string;
  slug: string;
  html: string;
  /** Of the text. */
  language: string;
  settings: SeoSettings;
}

/** What somebody wants to edit; undefined where there is no such thing or they may not. */
export async function loadEdited(call: EditorCall, type: string, id: number): Promise<EditedObject | undefined> {
  const { context, caller } = call;
  const { db } = context.store;
  const kind = context.kinds.get(type);
  if (kind && (!kind.hasPage || kind.isFile)) return undefined;
  if (kind) {
    const [row] = await db
      .select()
      .from(content)
      .where(and(eq(content.id, id), eq(content.type, type)));
    if (!row || row.status === 'trash' || row.status === 'auto-draft' || !mayEdit(row, caller)) return undefined;
    const featuredAlt = (await loadFeaturedAlts(db, [row])).get(row.featuredMedia);
    return { type, id, row, ...(await loadPage(call, { kind: 'content', row })), featuredAlt };
  }
  if (type === 'user') return loadEditedUser(call, id);
  if (!can(caller, 'manage_categories')) return undefined;
  const [found] = await db
    .select()
    .from(term)
    .where(and(eq(term.id, id), eq(term.taxonomy, type)));
  if (!found) return undefined;
  const tree = await loadTermTree(context, context.publicUrl, [found]);
  return { type, id, ...(await loadPage(call, { kind: 'term', row: found, tree })), ...NO_TEXT };
}

/** Who writes has a page that lists it. */
async function loadEditedUser(call: EditorCall, id: number): Promise<EditedObject | undefined> {
  if (!can(call.caller, 'edit_users') && call.session.user.id !== id) return undefined;
  const [found] = await call.context.store.db.select().from(user).where(eq(user.id, id));
  return found && { type: 'user', id, ...(await loadPage(call, { kind: 'author', row: found })), ...NO_TEXT };
}

const NO_TEXT = { row: undefined, featuredAlt: undefined };

async function loadPage(call: EditorCall, found: FoundPage): Promise<Pick<EditedObject, 'page' | 'site'>> {
  const scope = await loadHeadScope(call);
  const [page] = await loadPages([found], scope);
  if (!page) throw new Error('A page that was found is not there.');
  return { page, site: scope.head };
}

/** What heads of these would say if nobody had written a title or description for them, by their ids. */
export async function loadUsualTexts(
  call: EditorCall,
  type: string,
  ids: readonly number[],
): Promise<ReadonlyMap<number, HeadTexts>> {
  if (ids.length === 0) return new Map();
  const scope = await loadHeadScope(call);
  const pages = await loadPages(await findPages(call, type, ids), scope);
  return new Map(
    pages.map((page) => {
      const settings = { ...page.settings, title: '', description: '' };
      return [page.id, shownTexts({ ...page, settings }, scope.head)];
    }),
  );
}

async function findPages({ context }: EditorCall, type: string, ids: readonly number[]): Promise<FoundPage[]> {
  const { db } = context.store;
  if (context.kinds.has(type)) {
    const rows = await db
      .select()
      .from(content)
      .where(inArray(content.id, [...ids]));
    return rows.map((row) => ({ kind: 'content', row }));
  }
  if (type === 'user') {
    const rows = await db
      .select()
      .from(user)
      .where(inArray(user.id, [...ids]));
    return rows.map((row) => ({ kind: 'author', row }));
  }
  const rows = await db
    .select()
    .from(term)
    .where(inArray(term.id, [...ids]));
  const tree = await loadTermTree(context, context.publicUrl, rows);
  return rows.map((row) => ({ kind: 'term', row, tree }));
}

/** What the form begins with. */
export function draftOf({ row, page }: EditedObject): Draft {
  const text = row ? row.content : page.summary;
  return {
    name: row ? row.title : page.name,
    slug: row ? row.slug : (page.url.split('/').findLast((part) => part !== '') ?? ''),
    html: text,
    language: languageOf(page.name, text),
    settings: page.settings,
  };
}

/** What a draft would look like outside, and what is to be said about it. */
export interface Review {
  /** Of the texts. */
  language: string;
  texts: HeadTexts;
  address: string;
  /** Address of the picture that is shown when it is shared. */
  picture: string | undefined;
  analysis: Analysis;
}

export async function reviewDraft(call: EditorCall, object: EditedObject, draft: Draft): Promise<Review> {
  const { page, site, row } = object;
  const { settings, language, html } = draft;
  const name = plainText(draft.name);
  const variables = row ? { ...page.variables, title: name } : page.variables;
  const url = row ? addressOf(call, row, page, draft.slug) : page.url;
  const shown = { ...page, url, name, variables, settings };
  const uses = await countKeyphrases(call.context.store.db, [settings.focus_keyphrase]);
  const analysis = analysePage(shown, site, {
    slug: draft.slug,
    html,
    language,
    adviceLanguage: call.language,
    featuredAlt: object.featuredAlt,
    keyphraseUses: otherUses(uses, settings.focus_keyphrase, page.settings.focus_keyphrase),
  });
  const picture = settings.og_image || (page.sharedPicture ?? page.picture ?? site.defaultPicture)?.url;
  return { language, texts: shownTexts(shown, site), address: url, picture, analysis };
}

/** The address that it would have with another slug. */
function addressOf({ context }: EditorCall, row: ContentRow, page: HeadPage, slug: string): string {
  if (slug === row.slug || row.slug === '' || !page.url.endsWith(`/${row.slug}/`)) return page.url;
  return linkContent({ ...row, slug }, { site: context.publicUrl, kinds: context.kinds }, new Map());
}

/** Why nothing was saved. */
export type SaveProblem = 'gone' | 'conflict';

/**
 * Saves what differs from what is stored: the text as a change with a revision, the settings with the scores of the
 * review, in one transaction.
 *
 * @param modified when the form was made: what somebody else has changed since is not overwritten; undefined for all
 */
export async function saveDraft(
  call: EditorCall,
  object: EditedObject,
  draft: Draft,
  { review, modified }: { review: Review; modified: string | undefined },
): Promise<SaveProblem | undefined> {
  const { context, caller, requestMemo } = call;
  const { row, site, type, id } = object;
  const kind = row && kindOf(row, context.kinds);
  const sent = row && (await filterWritten(changedTexts(row, draft), caller));
  const { site: stored } = await loadHeadScope({ context, requestMemo });
  const { analysis } = review;
  return writeContent(context.store.db, async (tx) => {
    if (kind && sent && Object.keys(sent).length > 0) {
      const scope = {
        kind,
        kinds: context.kinds,
        followers: context.followers,
        caller,
        site: stored,
        publicUrl: site.url,
        now: new Date(),
        refuse: refuser(updatePost.errors, caller),
      };
      const [current] = await tx.select({ modified: content.modified }).from(content).where(eq(content.id, id));
      if (modified !== undefined && current?.modified !== modified) return 'conflict';
      await changeContent(tx, id, sent, scope);
    }
    const settings = {
      ...draft.settings,
      seo_score: analysis.seo,
      readability_score: analysis.readability,
      title_score: analysis.titleScore,
      description_score: analysis.descriptionScore,
      reading_minutes: analysis.readingMinutes,
    };
    return (await changeSeoSettings(tx, context, { type, id }, settings)) ? undefined : 'gone';
  });
}

function changedTexts(row: ContentRow, draft: Draft) {
  return {
    ...(draft.name === row.title ? {} : { title: draft.name }),
    ...(draft.slug === row.slug ? {} : { slug: draft.slug }),
    ...(sameText(draft.html, row.content) ? {} : { content: draft.html }),
  };
}

/** Browsers send line breaks in a form of their own. */
function sameText(sent: string, stored: string): boolean {
  return sent.replaceAll('\r\n', '\n') === stored.replaceAll('\r\n', '\n');
}
