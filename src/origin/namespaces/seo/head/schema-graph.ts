import { createHash } from 'node:crypto';
import { PAGE_TYPES } from '#contracts/seo/head-values.ts';
import type { SchemaNode } from '#contracts/seo/head.ts';
import { plainText } from '#origin/platform/render/plain-text.ts';
import type { HeadPage, HeadPerson, PageImage, HeadSite, HeadTexts } from './head-page.ts';

interface GraphContext {
  page: HeadPage;
  site: HeadSite;
  texts: HeadTexts;
  /** Address of the home page. */
  home: string;
  /** Language tag such as `en-US`. */
  language: string;
}

/** Describes the page, its site, its publisher and its author with schema.org, one node each. */
export function schemaGraph(page: HeadPage, site: HeadSite, texts: HeadTexts): SchemaNode[] {
  const context = { page, site, texts, home: `${site.url}/`, language: site.locale.replace('_', '-') };
  const isLocked = page.article?.isProtected === true;
  const nodes = [
    isLocked ? undefined : articleNode(context),
    pageNode(context),
    isLocked ? undefined : pictureNode(context),
    isLocked ? undefined : breadcrumbNode(context),
    websiteNode(context),
    organizationNode(context),
    ...(isLocked ? [] : personNodes(context)),
  ];
  return nodes.flatMap((node) => (node ? [dropEmpty(node)] : []));
}

function dropEmpty(node: SchemaNode): SchemaNode {
  return Object.fromEntries(
    Object.entries(node).filter(
      ([, value]) => value !== undefined && value !== '' && (!Array.isArray(value) || value.length > 0),
    ),
  );
}

function articleNode(context: GraphContext): SchemaNode | undefined {
  const { page, language } = context;
  const { article, url } = page;
  const type = articleType(context);
  if (!article || type === undefined) return undefined;
  return {
    '@type': type,
    '@id': `${url}#article`,
    isPartOf: { '@id': url },
    author: article.author && { name: article.author.name, '@id': personId(article.author, context) },
    headline: page.name,
    datePublished: article.published,
    dateModified: article.modified,
    mainEntityOfPage: { '@id': url },
    wordCount: article.words,
    commentCount: article.comments,
    publisher: publisherReference(context),
    ...pictureReferences(context),
    keywords: article.tags,
    articleSection: article.categories,
    inLanguage: language,
    potentialAction:
      article.comments === undefined
        ? undefined
        : [{ '@type': 'CommentAction', name: 'Comment', target: [`${url}#respond`] }],
  };
}

/** Returns the article type. Posts are articles by default, other content only if set. */
function articleType({ page, site }: GraphContext): string | string[] | undefined {
  const defaultType = page.type === 'post' ? 'Article' : 'None';
  const type = page.settings.article_type || site.options.templates[page.type]?.article_type || defaultType;
  if (type === 'None') return undefined;
  return type.includes('Article') ? type : ['Article', type];
}

function pageNode(context: GraphContext): SchemaNode | undefined {
  const { page, texts, home, language } = context;
  const { article, url } = page;
  if (page.kind === '404') return undefined;
  const isCollection = ['home', 'term', 'archive', 'date', 'search'].includes(page.kind);
  const isLocked = article?.isProtected === true;
  const publisher = publisherReference(context);
  return {
    '@type': pageType(context),
    '@id': url,
    url,
    name: texts.title,
    isPartOf: { '@id': `${home}#website` },
    ...(isLocked ? {} : primaryPicture(context)),
    datePublished: article?.published,
    dateModified: article?.modified,
    author:
      page.type === 'post' && article?.author && !publisher && !isLocked
        ? { '@id': personId(article.author, context) }
        : undefined,
    description: texts.description,
    breadcrumb: isLocked || hasBreadcrumbs(page) ? { '@id': `${url}#breadcrumb` } : undefined,
    inLanguage: language,
    potentialAction: isCollection || isLocked ? undefined : [{ '@type': 'ReadAction', target: [url] }],
  };
}

function pageType({ page, site }: GraphContext): string | string[] {
  if (page.kind === 'author') return 'ProfilePage';
  if (page.kind === 'search') return ['CollectionPage', 'SearchResultsPage'];
  if (page.kind !== 'content') return 'CollectionPage';
  const type = page.settings.page_type || site.options.templates[page.type]?.page_type || PAGE_TYPES[0];
  return type === PAGE_TYPES[0] ? type : [PAGE_TYPES[0], type];
}

function pictureReferences({ page }: GraphContext): SchemaNode {
  const { picture, url } = page;
  return picture ? { image: { '@id': `${url}#primaryimage` }, thumbnailUrl: picture.source ?? picture.url } : {};
}

function primaryPicture(context: GraphContext): SchemaNode {
  const { picture, url } = context.page;
  return picture ? { primaryImageOfPage: { '@id': `${url}#primaryimage` }, ...pictureReferences(context) } : {};
}

function pictureNode({ page, language }: GraphContext): SchemaNode | undefined {
  return page.picture && imageNode(`${page.url}#primaryimage`, page.picture, language);
}

function imageNode(id: string, { url, width, height, caption }: PageImage, language: string): SchemaNode {
  const dimensions = width && height ? { width, height } : {};
  return dropEmpty({
    '@type': 'ImageObject',
    inLanguage: language,
    '@id': id,
    url,
    contentUrl: url,
    ...dimensions,
    caption,
  });
}

/** True if the page has more than one breadcrumb. The home page has two. */
function hasBreadcrumbs({ crumbs }: HeadPage): boolean {
  return crumbs.length > 1;
}

function breadcrumbNode({ page }: GraphContext): SchemaNode | undefined {
  if (!hasBreadcrumbs(page)) return undefined;
  const last = page.crumbs.length - 1;
  return {
    '@type': 'BreadcrumbList',
    '@id': `${page.url}#breadcrumb`,
    itemListElement: page.crumbs.map(({ name, url }, i) => ({
      '@type': 'ListItem',
      position: i + 1,
      name,
      ...(i === last ? {} : { item: url }),
    })),
  };
}

function websiteNode(context: GraphContext): SchemaNode {
  const { site, home, language } = context;
  return {
    '@type': 'WebSite',
    '@id': `${home}#website`,
    url: home,
    name: plainText(site.options.website_name) || site.name,
    description: site.description,
    publisher: publisherReference(context),
    alternateName: plainText(site.options.alternate_website_name),
    potentialAction: [
      {
        '@type': 'SearchAction',
        target: { '@type': 'EntryPoint', urlTemplate: `${home}?s={search_term_string}` },
      },
    ],
    inLanguage: language,
  };
}

/** References the publisher: a company with a logo, or a person. */
function publisherReference(context: GraphContext): { '@id': string } | undefined {
  const { site, home } = context;
  if (site.options.company_or_person === 'person') return site.person && { '@id': personId(site.person, context) };
  return site.logo && { '@id': `${home}#organization` };
}

function organizationNode({ site, home, language }: GraphContext): SchemaNode | undefined {
  const { options, logo } = site;
  if (options.company_or_person !== 'company' || !logo) return undefined;
  const id = `${home}#/schema/logo/image/`;
  const name = plainText(options.company_name) || site.name;
  return {
    '@type': 'Organization',
    '@id': `${home}#organization`,
    name,
    alternateName: plainText(options.company_alternate_name),
    url: home,
    logo: imageNode(id, { ...logo, caption: logo.caption || name }, language),
    image: { '@id': id },
    sameAs: profilesOf(site),
  };
}

function profilesOf({ options }: HeadSite): string[] {
  const { facebook_site, twitter_site, other_social_urls } = options;
  return [facebook_site, twitter_site === '' ? '' : `https://x.com/${twitter_site}`, ...other_social_urls].filter(
    (address) => address !== '',
  );
}

/** Describes the publisher and the author of the page, in one node if they are the same person. */
function personNodes(context: GraphContext): SchemaNode[] {
  const { page, site } = context;
  const author = articleType(context) === undefined ? page.person : (page.article?.author ?? page.person);
  const publisher = site.options.company_or_person === 'person' ? site.person : undefined;
  const people = [publisher, author?.id === publisher?.id ? undefined : author];
  return people.flatMap((person) => (person ? [personNode(person, person === publisher, context)] : []));
}

function personNode(person: HeadPerson, isSite: boolean, context: GraphContext): SchemaNode {
  const { page, site, home, language } = context;
  const imageId = `${home}#/schema/person/image/`;
  const picture = isSite && site.logo ? site.logo : person.avatar === undefined ? undefined : { url: person.avatar };
  const isOwnPage = page.person?.id === person.id;
  return dropEmpty({
    '@type': isSite ? ['Person', 'Organization'] : 'Person',
    '@id': personId(person, context),
    name: person.name,
    image: picture && imageNode(imageId, { ...picture, caption: person.name }, language),
    logo: isSite && picture ? { '@id': imageId } : undefined,
    description: person.description,
    sameAs: person.website === '' ? [] : [person.website],
    url: isSite || isOwnPage ? undefined : person.url,
    mainEntityOfPage: isOwnPage ? { '@id': page.url } : undefined,
  });
}

function personId({ id, slug }: HeadPerson, { home }: GraphContext): string {
  return `${home}#/schema/person/${createHash('md5').update(`${id} ${slug}`).digest('hex')}`;
}
