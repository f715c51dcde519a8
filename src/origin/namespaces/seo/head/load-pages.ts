import { and, count, eq, inArray, sql } from 'drizzle-orm';
import { readingMinutes } from '#analysis/text/keyphrase.ts';
import type { TemplateKind, TemplateVariables } from '#contracts/seo/templates.ts';
import { NO_SEO_SETTINGS, parseSettingsMeta, type SeoSettings } from '#contracts/seo/settings.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { getContentUrl, ANCESTOR_COLUMNS, loadTerms, type TermRow } from '#origin/platform/content/content-url.ts';
import type { AnyCall } from '#origin/platform/http/transport/call.ts';
import { getKind, type ContentRow } from '#origin/platform/registry/content-kind.ts';
import { runTextJob } from '#origin/platform/render/worker/text-jobs.ts';
import { plainText } from '#origin/platform/render/plain-text.ts';
import { loadSite } from '#origin/platform/site/load-site.ts';
import { comment, content, term, user } from '#origin/platform/store/schema.ts';
import { loadSeoOptions } from '../options.ts';
import { relocateSettings, readObjectMeta } from '../settings.ts';
import { type PageMatch, ancestorsOf, loadTermTree, type TermTree } from './find-page.ts';
import {
  loadHeadImages,
  collectImages,
  findChosenImage,
  loadHeadSite,
  createPerson,
  type HeadPerson,
  type HeadSite,
  type PageImage,
  type SiteScope,
} from './load-site.ts';

const HOME = 'Home';
const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}'’-]*/gu;
const PROTECTED_SUMMARY = 'This text is protected by a password.';

export interface HeadContext extends SiteScope {
  context: Pick<OriginContext, 'store' | 'kinds' | 'publicUrl'>;
  head: HeadSite;
}

export interface HeadPage {
  kind: TemplateKind;
  /** Content type or taxonomy; the kind for other pages. */
  type: string;
  /** ID of the row; 0 for pages of the site itself. */
  id: number;
  url: string;
  name: string;
  settings: SeoSettings;
  /** Template variables, except those of the site. */
  variables: TemplateVariables;
  /** Social description of a page without a description. */
  summary: string;
  isNoindex: boolean;
  /** Breadcrumbs from the home page to the page itself. */
  crumbs: readonly { name: string; url: string }[];
  /** Main image of the page. */
  picture?: PageImage | undefined;
  /** Social images chosen by editors. */
  sharedPicture?: PageImage | undefined;
  twitterPicture?: PageImage | undefined;
  /** Keys of all images that the head of content can contain: IDs, and paths of files. */
  imageKeys?: readonly string[] | undefined;
  /** Set for content only. */
  article?: ReturnType<typeof createArticle> | undefined;
  /** Set for author pages only. */
  person?: HeadPerson | undefined;
}

/** Loads the site data of heads and the context for loading pages. */
export async function loadHeadContext(call: Pick<AnyCall, 'context' | 'requestMemo'>): Promise<HeadContext> {
  const scope = { context: call.context, site: await loadSite(call) };
  return { ...scope, head: await loadHeadSite(scope, await loadSeoOptions(call)) };
}

/** Loads the data of heads, with a fixed number of statements for any number of pages. */
export async function loadHeadPages(found: readonly PageMatch[], scope: HeadContext): Promise<HeadPage[]> {
  const pages = found.map((page) => (page.kind === 'content' ? prepareContent(page.row, scope) : page));
  const items = pages.flatMap((page) => (page.kind === 'content' ? [page] : []));
  const terms = found.flatMap((page) => (page.kind === 'term' ? [page.row] : []));
  const users = found.flatMap((page) => (page.kind === 'author' ? [page.row] : []));
  const { db } = scope.context.store;
  const idsOf = (all: readonly { id: number }[]) => all.map(({ id }) => id);
  const [contentData, termMeta, userMeta] = await Promise.all([
    loadContent(items, terms, scope),
    readObjectMeta(db, 'term', idsOf(terms)),
    readObjectMeta(db, 'user', idsOf(users)),
  ]);
  const settingsOf = (meta: typeof termMeta, { id }: { id: number }) =>
    withCurrentUrl(parseSettingsMeta(meta.get(id) ?? {}), scope);
  return pages.map((page) => {
    switch (page.kind) {
      case 'content':
        return contentPage(page, contentData, scope);
      case 'term':
        return termPage(page.row, contentData.tree, settingsOf(termMeta, page.row), scope);
      case 'author':
        return authorPage(page.row, settingsOf(userMeta, page.row), scope);
      default:
        return sitePage(page, scope);
    }
  });
}

function withCurrentUrl(settings: SeoSettings, { site, context }: HeadContext): SeoSettings {
  return relocateSettings(settings, site.url, context.publicUrl);
}

function homeCrumb({ context }: HeadContext) {
  return { name: HOME, url: `${context.publicUrl}/` };
}

/** A content row with its settings and the images that its head can contain. */
type ContentItem = ReturnType<typeof prepareContent>;
type ContentData = Awaited<ReturnType<typeof loadContent>>;

function prepareContent(row: ContentRow, scope: HeadContext) {
  const settings = withCurrentUrl(parseSettingsMeta(row.meta), scope);
  return { kind: 'content' as const, row, settings, images: collectImages(row, settings, scope) };
}

async function loadContent(items: readonly ContentItem[], terms: readonly TermRow[], scope: HeadContext) {
  const { context, head } = scope;
  const { db } = context.store;
  const rows = items.map(({ row }) => row);
  const ids = rows.map(({ id }) => id);
  const [ancestors, termsOfRows, authors, comments, pictures, descriptions] = await Promise.all([
    loadAncestorTitles(rows, scope),
    loadTerms(db, ids),
    rows.length === 0
      ? []
      : db
          .select()
          .from(user)
          .where(inArray(user.id, [...new Set(rows.map(({ authorId }) => authorId))])),
    countComments(rows, scope),
    loadHeadImages(scope, {
      ids: [
        ...rows.filter((row) => getKind(row, context.kinds).isFile).map(({ id }) => id),
        ...items.flatMap(({ images }) => images.ids),
      ],
      addresses: items.flatMap(({ images }) => images.addresses),
    }),
    describeRows(rows, scope),
  ]);
  const primary = items.map(({ settings }) => settings.primary_category).filter((id) => id > 0);
  const primaryTerms = primary.length === 0 ? [] : await db.select().from(term).where(inArray(term.id, primary));
  const tree = await loadTermTree(context, context.publicUrl, [...primaryTerms, ...terms]);
  const summaries = new Map<number, string>();
  for (const row of rows) summaries.set(row.id, await createSummary(row, descriptions.get(row.id)));
  return {
    ancestors,
    terms: termsOfRows,
    authors: new Map(authors.map((row) => [row.id, createPerson(row, scope, head.options)])),
    comments,
    pictures,
    summaries,
    primaryTerms: new Map(primaryTerms.map((row) => [row.id, row])),
    tree,
  };
}

/** Loads the ancestors of rows with their titles and breadcrumb titles. */
async function loadAncestorTitles(rows: readonly ContentRow[], { context }: HeadContext) {
  const parents = [...new Set(rows.map(({ parentId }) => parentId))].filter((id) => id !== 0);
  const above = sql`(
    with recursive above as (
      select p.id, p.parent_id from ${content} p where ${inArray(sql`p.id`, parents)}
      union
      select p.id, p.parent_id from ${content} p join above on p.id = above.parent_id
    )
    select id from above
  )`;
  const columns = { ...ANCESTOR_COLUMNS, title: content.title, meta: content.meta };
  const found =
    parents.length === 0 ? [] : await context.store.db.select(columns).from(content).where(inArray(content.id, above));
  return new Map(
    found.map(({ meta, ...row }) => [row.id, { ...row, breadcrumb: parseSettingsMeta(meta).breadcrumb_title }]),
  );
}

async function countComments(rows: readonly ContentRow[], { context }: HeadContext) {
  const open = rows.filter(({ commentStatus }) => commentStatus === 'open').map(({ id }) => id);
  if (open.length === 0) return new Map<number, number>();
  const counted = await context.store.db
    .select({ id: comment.contentId, comments: count() })
    .from(comment)
    .where(and(inArray(comment.contentId, open), eq(comment.status, 'approved')))
    .groupBy(comment.contentId);
  const countById = new Map(counted.map(({ id, comments }) => [id, comments]));
  return new Map(open.map((id) => [id, countById.get(id) ?? 0]));
}

/** Loads descriptions that kinds of content store outside of their rows. */
export async function describeRows(rows: readonly Pick<ContentRow, 'id' | 'type'>[], { context }: HeadContext) {
  const descriptions = new Map<number, string>();
  for (const [type, rowsOfType] of Map.groupBy(rows, (row) => row.type)) {
    const ids = rowsOfType.map(({ id }) => id);
    const texts = await context.kinds.get(type)?.describe?.(context.store.db, ids);
    for (const [id, text] of texts ?? []) descriptions.set(id, text);
  }
  return descriptions;
}

async function createSummary(row: ContentRow, description: string | undefined): Promise<string> {
  if (row.password !== '') return PROTECTED_SUMMARY;
  const summary = plainText(row.excerpt) || plainText(description ?? '');
  return summary === '' ? plainText(await runTextJob('excerpt', '', row.content)) : summary;
}

function contentPage(item: ContentItem, data: ContentData, scope: HeadContext): HeadPage {
  const { row, settings, images } = item;
  const { context, head } = scope;
  const kind = getKind(row, context.kinds);
  const url = getContentUrl(row, { site: context.publicUrl, kinds: context.kinds }, data.ancestors);
  const name = plainText(row.title);
  const article = createArticle(row, data, scope);
  const noindex = row.status === 'private' || isNoindex(settings, head.options.templates[row.type]?.noindex === true);
  const pictures = article.isProtected
    ? {}
    : {
        picture: pictureOf(item, kind.isFile, data),
        sharedPicture: findChosenImage(data.pictures, settings.og_image_id, settings.og_image),
        twitterPicture: findChosenImage(data.pictures, settings.twitter_image_id, settings.twitter_image),
      };
  return {
    kind: 'content',
    type: row.type,
    id: row.id,
    url,
    name,
    settings,
    variables: contentVariables(item, { name, author: article.author?.name, kind: kind.name, url }, data),
    summary: data.summaries.get(row.id) ?? '',
    isNoindex: noindex,
    crumbs: [
      homeCrumb(scope),
      ...crumbsAbove(item, data, scope),
      { name: plainText(settings.breadcrumb_title) || name, url },
    ],
    article,
    ...pictures,
    imageKeys: images.keys,
  };
}

function namesOf(terms: readonly TermRow[], taxonomy: string): string[] {
  return terms.filter((found) => found.taxonomy === taxonomy).map((found) => plainText(found.name));
}

/** Creates the content data of heads. Times are ISO 8601 in UTC. */
function createArticle(row: ContentRow, data: ContentData, { site }: HeadContext) {
  const isProtected = row.password !== '';
  const terms = data.terms.get(row.id) ?? [];
  const chosen = terms.filter(({ id, slug }) => id !== site.default_category || slug !== 'uncategorized');
  const published = isoTime(row.dateGmt ?? row.modifiedGmt);
  const modified = isoTime(row.modifiedGmt);
  return {
    author: data.authors.get(row.authorId),
    published,
    /** Time of the last change after publication. */
    modified: modified > published ? modified : undefined,
    isProtected,
    /** Computed here instead of read from the analysis, so that it only changes with the text. */
    minutes: isProtected ? 0 : readingMinutes(row.content),
    words: `${row.title} ${plainText(row.content.replaceAll('<', ' <'))}`.match(WORD)?.length ?? 0,
    /** Number of published comments; undefined if comments are closed. */
    comments: data.comments.get(row.id),
    tags: namesOf(terms, 'post_tag'),
    categories: namesOf(chosen, 'category'),
  };
}

function isNoindex({ index }: SeoSettings, fallback: boolean): boolean {
  return index === 'default' ? fallback : index === 'noindex';
}

/** Converts `2026-01-10 08:00:00` to ISO 8601 with an offset. */
function isoTime(utc: string): string {
  return `${utc.replace(' ', 'T')}+00:00`;
}

function pictureOf({ row, images: { first } }: ContentItem, isFile: boolean, { pictures }: ContentData) {
  const chosen = pictures.byId(isFile ? row.id : row.featuredMedia);
  if (chosen || !first) return chosen;
  const mediaItem = pictures.byId(first.id ?? 0) ?? pictures.byAddress(first.source);
  return { ...(mediaItem ?? { url: first.source }), source: first.source };
}

/** Returns the breadcrumbs above a page: its archive and ancestors, and its primary category. */
function crumbsAbove({ row, settings }: ContentItem, data: ContentData, { context }: HeadContext) {
  const kind = getKind(row, context.kinds);
  const linkContext = { site: context.publicUrl, kinds: context.kinds };
  // Skip ancestors that visitors can't open.
  const ancestors = ancestorsOf(row, data.ancestors).filter(({ status }) => status === 'publish');
  const crumbs = ancestors.map((above) => ({
    name: plainText(above.breadcrumb) || plainText(above.title),
    url: getContentUrl(above, linkContext, data.ancestors),
  }));
  if (kind.archive !== undefined) crumbs.unshift({ name: kind.name, url: `${context.publicUrl}/${kind.archive}/` });
  const primary = data.primaryTerms.get(settings.primary_category);
  if (!primary || !(data.terms.get(row.id) ?? []).some(({ id }) => id === primary.id)) return crumbs;
  const chain = [...data.tree.above(primary), primary];
  return [...crumbs, ...chain.map((found) => ({ name: plainText(found.name), url: data.tree.urlOf(found) }))];
}

function contentVariables(
  { row, settings }: ContentItem,
  { name, author, kind, url }: { name: string; author: string | undefined; kind: string; url: string },
  data: ContentData,
) {
  const terms = data.terms.get(row.id) ?? [];
  const categories = namesOf(terms, 'category').join(', ');
  const [category] = terms.filter((found) => found.taxonomy === 'category');
  const primary = data.primaryTerms.get(settings.primary_category) ?? category;
  const summary = data.summaries.get(row.id) ?? '';
  const parent = data.ancestors.get(row.parentId);
  // Reveal nothing of protected texts and of pages that visitors can't open.
  const excerpt = row.password === '' ? plainText(row.excerpt) : '';
  const [year, month, day] = row.date.slice(0, 10).split('-');
  return {
    title: name,
    excerpt: summary,
    excerpt_only: excerpt,
    date: row.date.slice(0, 10),
    modified: row.modified.slice(0, 10),
    post_year: year,
    post_month: month,
    post_day: day,
    name: author,
    category: categories,
    category_title: categories,
    primary_category: primary && plainText(primary.name),
    category_description: category && plainText(category.description),
    tag: namesOf(terms, 'post_tag').join(', '),
    parent_title: parent?.status === 'publish' ? plainText(parent.title) : undefined,
    caption: excerpt,
    id: String(row.id),
    permalink: url,
    pt_single: kind,
    pt_plural: kind,
  };
}

function termPage(row: TermRow, tree: TermTree, settings: SeoSettings, scope: HeadContext): HeadPage {
  const url = tree.urlOf(row);
  const name = plainText(row.name);
  const description = plainText(row.description);
  const above = tree.above(row).map((found) => ({ name: plainText(found.name), url: tree.urlOf(found) }));
  return {
    kind: 'term',
    type: row.taxonomy,
    id: row.id,
    url,
    name,
    settings,
    variables: {
      term_title: name,
      term_description: description,
      category_description: description,
      tag_description: description,
      category: name,
      tag: name,
      term_hierarchy: [...above.map((crumb) => crumb.name), name].join(' / '),
    },
    summary: description,
    isNoindex: isNoindex(settings, scope.head.options.templates[row.taxonomy]?.noindex === true),
    crumbs: [homeCrumb(scope), ...above, { name: plainText(settings.breadcrumb_title) || name, url }],
    ...imagesOfSettings(settings),
  };
}

/** Returns images that were chosen by address. Their dimensions are unknown. */
function imagesOfSettings({ og_image, twitter_image }: SeoSettings) {
  return {
    sharedPicture: og_image === '' ? undefined : { url: og_image },
    twitterPicture: twitter_image === '' ? undefined : { url: twitter_image },
  };
}

function authorPage(row: typeof user.$inferSelect, settings: SeoSettings, scope: HeadContext): HeadPage {
  const { options } = scope.head;
  const person = createPerson(row, scope, options);
  return {
    kind: 'author',
    type: 'author',
    id: row.id,
    url: person.url,
    name: person.name,
    settings,
    variables: {
      name: person.name,
      title: person.name,
      user_description: person.description,
      userid: String(row.id),
      author_first_name: plainText(row.firstName),
      author_last_name: plainText(row.lastName),
    },
    summary: person.description,
    isNoindex: isNoindex(settings, options.noindex_author || options.disable_author),
    crumbs: [
      homeCrumb(scope),
      { name: plainText(settings.breadcrumb_title) || `Articles by ${person.name}`, url: person.url },
    ],
    person,
    ...imagesOfSettings(settings),
    ...(person.avatar === undefined || settings.og_image !== '' ? {} : { sharedPicture: { url: person.avatar } }),
  };
}

type SitePageRef = Exclude<PageMatch, { kind: 'content' | 'term' | 'author' }>;

/** Describes a page of the site itself. */
function sitePage(page: SitePageRef, scope: HeadContext): HeadPage {
  const { publicUrl } = scope.context;
  const home = homeCrumb(scope);
  const create = (values: { name: string; url: string } & Partial<HeadPage>): HeadPage => ({
    kind: page.kind,
    type: page.kind,
    id: 0,
    settings: NO_SEO_SETTINGS,
    variables: {},
    summary: '',
    isNoindex: true,
    crumbs: [home, { name: values.name, url: values.url }],
    ...values,
  });
  switch (page.kind) {
    case 'home':
      return create({ ...home, isNoindex: false });
    case 'archive': {
      const { name, archive } = page.of;
      const type = `archive-${page.of.type}`;
      const isNoindex = scope.head.options.templates[type]?.noindex === true;
      const variables = { pt_plural: name, pt_single: name, archive_title: name };
      return create({ type, url: `${publicUrl}/${archive}/`, name, variables, isNoindex });
    }
    case 'date': {
      const parts = [page.year, page.month, page.day].flatMap((part) => part ?? []);
      const url = `${publicUrl}/${parts.map((part) => String(part).padStart(2, '0')).join('/')}/`;
      const name = dateName(page);
      return create({ url, name, variables: { date: name } });
    }
    case 'search': {
      const phrase = plainText(page.phrase);
      const url = `${publicUrl}/?s=${encodeURIComponent(page.phrase)}`;
      return create({ url, name: `Search: ${phrase}`, variables: { searchphrase: phrase } });
    }
    case '404':
      return create({ url: home.url, name: '', crumbs: [] });
  }
}

function dateName({ year, month, day }: Extract<SitePageRef, { kind: 'date' }>): string {
  const date = new Date(Date.UTC(year, (month ?? 1) - 1, day ?? 1));
  return new Intl.DateTimeFormat('en', {
    timeZone: 'UTC',
    year: 'numeric',
    ...(month === undefined ? {} : { month: 'long' }),
    ...(day === undefined ? {} : { day: 'numeric' }),
  }).format(date);
}
