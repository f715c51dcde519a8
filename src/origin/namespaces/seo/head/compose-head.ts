import { DEFAULT_TEMPLATES, fillTemplate, type HeadTemplates } from '#contracts/seo/templates.ts';
import type { HeadJson } from '#contracts/seo/head.ts';
import { PAGE_TYPES, robotsDirectives } from '#contracts/seo/head-values.ts';
import { VERIFICATION_KEYS } from '#contracts/seo/settings.ts';
import * as schemaOrg from '#contracts/seo/linked-data.ts';
import { plainText } from '#origin/platform/render/plain-text.ts';
import type { HeadPage } from './load-pages.ts';
import type { HeadPerson, HeadSite, PageImage } from './load-site.ts';
import { createHash } from 'node:crypto';

const SHARED_TYPES = new Set(['image/jpeg', 'image/gif', 'image/png', 'image/webp']);
const VERIFICATION_CODE = /^[\w.:=+/-]{1,200}$/;

/** Composes the head of a page. Keys without a value are omitted. */
export function composeHead(page: HeadPage, site: HeadSite): HeadJson {
  const texts = headTexts(page, site);
  const robots = robotsDirectives({ ...page.settings, noindex: page.isNoindex });
  const isListed = robots['index'] === 'index';
  const canonical = page.settings.canonical || page.url;
  const head: HeadJson = {
    title: texts.title,
    description: texts.description,
    robots,
    canonical: isListed ? canonical : undefined,
    ...(site.options.opengraph ? openGraph(page, site, texts, canonical) : {}),
    ...(page.article ? articleTags(page, site) : {}),
    author: page.type === 'post' ? page.article?.author?.name : undefined,
    ...(site.options.twitter ? twitterTags(page, site, texts) : {}),
    schema: schemaOrg.linkedData(schemaGraph(page, site, texts)),
    ...(page.kind === 'home' ? verification(site) : {}),
  };
  if (page.kind !== '404') return schemaOrg.dropEmpty(head);
  const { title, description, og_locale, og_title, og_site_name, schema } = head;
  return schemaOrg.dropEmpty({ title, description, robots, og_locale, og_title, og_site_name, schema });
}

export type HeadTexts = ReturnType<typeof headTexts>;

/** Returns titles and descriptions from the settings, or else the templates. Fills in variables and strips markup. */
export function headTexts(page: HeadPage, site: HeadSite) {
  const { settings } = page;
  const defaults = DEFAULT_TEMPLATES[page.kind];
  const siteTemplates = site.options.templates[page.type];
  const template = (name: keyof HeadTemplates) => siteTemplates?.[name] || defaults[name];
  const variables = {
    sitename: site.name,
    sitedesc: site.description,
    sep: site.options.separator,
    ...today(),
    ...page.variables,
    focuskw: settings.focus_keyphrase,
  };
  const fill = (text: string) => plainText(fillTemplate(text, variables));
  const title = fill(settings.title || template('title')) || fill(defaults.title);
  const description = fill(settings.description || template('description'));
  return {
    title,
    description,
    socialTitle: fill(settings.og_title || template('social_title')) || title,
    socialDescription: fill(settings.og_description || template('social_description')) || description || page.summary,
    // Empty if equal to the Open Graph texts.
    twitterTitle: fill(settings.twitter_title),
    twitterDescription: fill(settings.twitter_description),
  };
}

function today(): Record<string, string> {
  const [date = ''] = new Date().toISOString().split('T');
  const [currentyear = '', currentmonth = '', currentday = ''] = date.split('-');
  return { currentdate: date, currentyear, currentmonth, currentday };
}

function openGraph(page: HeadPage, site: HeadSite, texts: HeadTexts, canonical: string): HeadJson {
  const picture = page.sharedPicture ?? page.picture ?? site.defaultPicture;
  const isShared = picture && (picture.mimeType === undefined || SHARED_TYPES.has(picture.mimeType));
  return {
    og_locale: site.locale,
    og_type: openGraphType(page),
    og_title: texts.socialTitle,
    og_description: texts.socialDescription,
    og_url: canonical,
    og_site_name: site.name,
    og_image: isShared ? [toOpenGraphImage(picture)] : [],
  };
}

function openGraphType({ kind }: HeadPage): string {
  if (kind === 'author') return 'profile';
  return kind === 'content' || kind === 'term' || kind === 'search' ? 'article' : 'website';
}

function toOpenGraphImage({ url, width, height, mimeType }: PageImage) {
  return {
    ...(width && height ? { width, height } : {}),
    url,
    ...(mimeType === undefined ? {} : { type: mimeType }),
  };
}

function articleTags({ type, article }: HeadPage, { options }: HeadSite): HeadJson {
  return {
    article_publisher: options.company_or_person === 'company' ? options.facebook_site : undefined,
    article_published_time: type === 'post' ? article?.published : undefined,
    article_modified_time: article?.modified,
  };
}

function twitterTags({ type, article, twitterPicture }: HeadPage, site: HeadSite, texts: HeadTexts): HeadJson {
  const { opengraph, twitter_site: handle } = site.options;
  const name = handle === '' ? undefined : `@${handle}`;
  return {
    twitter_card: 'summary_large_image',
    twitter_title: texts.twitterTitle || (opengraph ? undefined : texts.socialTitle),
    twitter_description: texts.twitterDescription || (opengraph ? undefined : texts.socialDescription),
    twitter_image: twitterPicture?.url,
    twitter_creator: article ? name : undefined,
    twitter_site: name,
    twitter_misc: type === 'post' && article ? readingInfo(article) : undefined,
  };
}

function readingInfo({ author, minutes }: NonNullable<HeadPage['article']>): Record<string, string> {
  return {
    ...(author ? { Author: author.name } : {}),
    ...(minutes === 0 ? {} : { 'Reading time': minutes === 1 ? '1 minute' : `${minutes} minutes` }),
  };
}

function verification({ options }: HeadSite): HeadJson {
  const codes = VERIFICATION_KEYS.map((key) => [key, options.verification[key] ?? ''] as const);
  return Object.fromEntries(codes.filter(([, code]) => VERIFICATION_CODE.test(code)));
}

type GraphContext = ReturnType<typeof createContext>;

function createContext(page: HeadPage, site: HeadSite, texts: HeadTexts) {
  return { page, site, texts, home: `${site.url}/`, language: site.locale.replace('_', '-') };
}

/** Describes the page, its site, its publisher and its author with schema.org, one node each. */
function schemaGraph(page: HeadPage, site: HeadSite, texts: HeadTexts): schemaOrg.JsonLdNode[] {
  const context = createContext(page, site, texts);
  const isLocked = page.article?.isProtected === true;
  const nodes: (schemaOrg.JsonLdNode | undefined)[] = [
    isLocked ? undefined : createArticle(context),
    createPage(context),
    isLocked ? undefined : page.picture && imageNode(`${page.url}#primaryimage`, page.picture, context.language),
    isLocked ? undefined : createBreadcrumb(page),
    createWebsite(context),
    createOrganization(context),
    ...(isLocked ? [] : personNodes(context)),
  ];
  return nodes.filter((node) => node !== undefined);
}

function createArticle(context: GraphContext): schemaOrg.JsonLdNode | undefined {
  const { page, language } = context;
  const { article, url } = page;
  const type = articleType(context);
  if (!article || type === undefined) return undefined;
  const { author, comments } = article;
  return schemaOrg.articleNode({
    type,
    url,
    isPartOf: schemaOrg.nodeReference(url),
    author: author && { name: author.name, ...schemaOrg.nodeReference(personId(author, context)) },
    headline: page.name,
    datePublished: article.published,
    dateModified: article.modified,
    wordCount: article.words,
    commentCount: comments,
    publisher: publisherReference(context),
    ...pictureReferences(page),
    keywords: article.tags,
    articleSection: article.categories,
    inLanguage: language,
    potentialAction:
      comments === undefined ? [] : [{ '@type': 'CommentAction', name: 'Comment', target: [`${url}#respond`] }],
  });
}

/** Returns the article type. Posts are articles by default, other content only if set. */
function articleType({ page, site }: GraphContext): string | string[] | undefined {
  const defaultType = page.type === 'post' ? 'Article' : 'None';
  const type = page.settings.article_type || site.options.templates[page.type]?.article_type || defaultType;
  if (type === 'None') return undefined;
  return type.includes('Article') ? type : ['Article', type];
}

const COLLECTIONS: ReadonlySet<string> = new Set(['home', 'term', 'archive', 'date', 'search']);

function createPage(context: GraphContext): schemaOrg.JsonLdNode | undefined {
  const { page, texts, home, language } = context;
  const { article, url, kind, picture } = page;
  if (kind === '404') return undefined;
  const isLocked = article?.isProtected === true;
  const author = page.type === 'post' && !publisherReference(context) && !isLocked ? article?.author : undefined;
  return schemaOrg.pageNode({
    type: pageType(context),
    url,
    name: texts.title,
    home,
    ...(picture && !isLocked && { primaryImageOfPage: schemaOrg.nodeReference(`${url}#primaryimage`) }),
    ...(isLocked ? {} : pictureReferences(page)),
    datePublished: article?.published,
    dateModified: article?.modified,
    author: author && schemaOrg.nodeReference(personId(author, context)),
    description: texts.description,
    hasBreadcrumb: isLocked || page.crumbs.length > 1,
    inLanguage: language,
    potentialAction: COLLECTIONS.has(kind) || isLocked ? [] : [{ '@type': 'ReadAction', target: [url] }],
  });
}

function pageType({ page, site }: GraphContext): string | string[] {
  if (page.kind === 'author') return 'ProfilePage';
  if (page.kind === 'search') return ['CollectionPage', 'SearchResultsPage'];
  if (page.kind !== 'content') return 'CollectionPage';
  const type = page.settings.page_type || site.options.templates[page.type]?.page_type || PAGE_TYPES[0];
  return type === PAGE_TYPES[0] ? type : [PAGE_TYPES[0], type];
}

function pictureReferences({ picture, url }: HeadPage): schemaOrg.JsonLdNode {
  return picture
    ? { image: schemaOrg.nodeReference(`${url}#primaryimage`), thumbnailUrl: picture.source ?? picture.url }
    : {};
}

function imageNode(id: string, { url, width, height, caption }: PageImage, inLanguage: string): schemaOrg.JsonLdNode {
  const dimensions = width && height ? { width, height } : {};
  return schemaOrg.createNode('ImageObject', id, { inLanguage, url, contentUrl: url, ...dimensions, caption });
}

function createBreadcrumb({ url, crumbs }: HeadPage): schemaOrg.JsonLdNode | undefined {
  if (crumbs.length < 2) return undefined;
  return schemaOrg.breadcrumbNode(url, [...crumbs.slice(0, -1), ...crumbs.slice(-1).map(({ name }) => ({ name }))]);
}

function createWebsite(context: GraphContext): schemaOrg.JsonLdNode {
  const { site, home, language } = context;
  const target = { '@type': 'EntryPoint', urlTemplate: `${home}?s={search_term_string}` };
  return schemaOrg.websiteNode({
    home,
    name: plainText(site.options.website_name) || site.name,
    description: site.description,
    publisherId: publisherReference(context)?.['@id'],
    alternateName: plainText(site.options.alternate_website_name),
    potentialAction: [{ '@type': 'SearchAction', target }],
    inLanguage: language,
  });
}

/** References the publisher: a company with a logo, or a person. */
function publisherReference(context: GraphContext): { '@id': string } | undefined {
  const { site, home } = context;
  if (site.options.company_or_person === 'person')
    return site.person && schemaOrg.nodeReference(personId(site.person, context));
  return site.logo && schemaOrg.nodeReference(`${home}#organization`);
}

function createOrganization({ site: { options, logo, name: siteName }, home, language }: GraphContext) {
  if (options.company_or_person !== 'company' || !logo) return undefined;
  const { facebook_site, twitter_site, other_social_urls } = options;
  const id = `${home}#/schema/logo/image/`;
  const name = plainText(options.company_name) || siteName;
  const x = twitter_site && `https://x.com/${twitter_site}`;
  return schemaOrg.organizationNode({
    home,
    name,
    alternateName: plainText(options.company_alternate_name),
    logo: imageNode(id, { ...logo, caption: logo.caption || name }, language),
    image: schemaOrg.nodeReference(id),
    sameAs: [facebook_site, x, ...other_social_urls].filter((address) => address !== ''),
  });
}

/** Describes the publisher and the author of the page, in one node if they are the same person. */
function personNodes(context: GraphContext): schemaOrg.JsonLdNode[] {
  const { page, site } = context;
  const author = articleType(context) === undefined ? page.person : (page.article?.author ?? page.person);
  const publisher = site.options.company_or_person === 'person' ? site.person : undefined;
  const people = [publisher, author?.id === publisher?.id ? undefined : author];
  return people.flatMap((person) => (person ? [personNode(person, person === publisher, context)] : []));
}

function personNode(person: HeadPerson, isSite: boolean, context: GraphContext): schemaOrg.JsonLdNode {
  const { page, site, home, language } = context;
  const imageId = `${home}#/schema/person/image/`;
  const picture = isSite && site.logo ? site.logo : person.avatar === undefined ? undefined : { url: person.avatar };
  const isOwnPage = page.person?.id === person.id;
  return schemaOrg.createNode(isSite ? ['Person', 'Organization'] : 'Person', personId(person, context), {
    name: person.name,
    image: picture && imageNode(imageId, { ...picture, caption: person.name }, language),
    logo: isSite && picture ? schemaOrg.nodeReference(imageId) : undefined,
    description: person.description,
    sameAs: person.website === '' ? [] : [person.website],
    url: isSite || isOwnPage ? undefined : person.url,
    mainEntityOfPage: isOwnPage ? schemaOrg.nodeReference(page.url) : undefined,
  });
}

function personId({ id, slug }: HeadPerson, { home }: GraphContext): string {
  return `${home}#/schema/person/${createHash('md5').update(`${id} ${slug}`).digest('hex')}`;
}
