import { createHash } from 'node:crypto';
import { PAGE_TYPES, type SchemaNode } from '#contracts/seo/index.ts';
import { plainText } from '#origin/platform/render/index.ts';
import type { HeadPage, HeadPerson, HeadPicture, HeadSite, HeadTexts } from './head-page.ts';

interface Scope {
  page: HeadPage;
  site: HeadSite;
  texts: HeadTexts;
  /** Address of the home page. */
  home: string;
  /** Such as `en-US`. */
  language: string;
}

/** What the page, its site and those behind them are, in the words of schema.org: one node for each thing. */
export function schemaGraph(page: HeadPage, site: HeadSite, texts: HeadTexts): SchemaNode[] {
  const scope = { page, site, texts, home: `${site.url}/`, language: site.locale.replace('_', '-') };
  const isLocked = page.article?.isProtected === true;
  const pieces = [
    isLocked ? undefined : articleNode(scope),
    pageNode(scope),
    isLocked ? undefined : pictureNode(scope),
    isLocked ? undefined : trailNode(scope),
    websiteNode(scope),
    organizationNode(scope),
    ...(isLocked ? [] : personNodes(scope)),
  ];
  return pieces.flatMap((piece) => (piece ? [dropEmpty(piece)] : []));
}

function dropEmpty(node: SchemaNode): SchemaNode {
  return Object.fromEntries(
    Object.entries(node).filter(
      ([, value]) => value !== undefined && value !== '' && (!Array.isArray(value) || value.length > 0),
    ),
  );
}

function articleNode(scope: Scope): SchemaNode | undefined {
  const { page, language } = scope;
  const { article, url } = page;
  const type = articleType(scope);
  if (!article || type === undefined) return undefined;
  return {
    '@type': type,
    '@id': `${url}#article`,
    isPartOf: { '@id': url },
    author: article.author && { name: article.author.name, '@id': personId(article.author, scope) },
    headline: page.name,
    datePublished: article.published,
    dateModified: article.modified,
    mainEntityOfPage: { '@id': url },
    wordCount: article.words,
    commentCount: article.comments,
    publisher: publisherOf(scope),
    ...pictureReferences(scope),
    keywords: article.tags,
    articleSection: article.categories,
    inLanguage: language,
    potentialAction:
      article.comments === undefined
        ? undefined
        : [{ '@type': 'CommentAction', name: 'Comment', target: [`${url}#respond`] }],
  };
}

/** Posts are articles, others only where somebody said so. */
function articleType({ page, site }: Scope): string | string[] | undefined {
  const usual = page.type === 'post' ? 'Article' : 'None';
  const type = page.settings.article_type || site.options.templates[page.type]?.article_type || usual;
  if (type === 'None') return undefined;
  return type.includes('Article') ? type : ['Article', type];
}

function pageNode(scope: Scope): SchemaNode | undefined {
  const { page, texts, home, language } = scope;
  const { article, url } = page;
  if (page.kind === '404') return undefined;
  const isCollection = ['home', 'term', 'archive', 'date', 'search'].includes(page.kind);
  const isLocked = article?.isProtected === true;
  const represented = publisherOf(scope);
  return {
    '@type': pageType(scope),
    '@id': url,
    url,
    name: texts.title,
    isPartOf: { '@id': `${home}#website` },
    ...(isLocked ? {} : primaryPicture(scope)),
    datePublished: article?.published,
    dateModified: article?.modified,
    author:
      page.type === 'post' && article?.author && !represented && !isLocked
        ? { '@id': personId(article.author, scope) }
        : undefined,
    description: texts.description,
    breadcrumb: isLocked || hasTrail(page) ? { '@id': `${url}#breadcrumb` } : undefined,
    inLanguage: language,
    potentialAction: isCollection || isLocked ? undefined : [{ '@type': 'ReadAction', target: [url] }],
  };
}

function pageType({ page, site }: Scope): string | string[] {
  if (page.kind === 'author') return 'ProfilePage';
  if (page.kind === 'search') return ['CollectionPage', 'SearchResultsPage'];
  if (page.kind !== 'content') return 'CollectionPage';
  const type = page.settings.page_type || site.options.templates[page.type]?.page_type || PAGE_TYPES[0];
  return type === PAGE_TYPES[0] ? type : [PAGE_TYPES[0], type];
}

function pictureReferences({ page }: Scope): SchemaNode {
  const { picture, url } = page;
  return picture ? { image: { '@id': `${url}#primaryimage` }, thumbnailUrl: picture.source ?? picture.url } : {};
}

function primaryPicture(scope: Scope): SchemaNode {
  const { picture, url } = scope.page;
  return picture ? { primaryImageOfPage: { '@id': `${url}#primaryimage` }, ...pictureReferences(scope) } : {};
}

function pictureNode({ page, language }: Scope): SchemaNode | undefined {
  return page.picture && imageNode(`${page.url}#primaryimage`, page.picture, language);
}

function imageNode(id: string, { url, width, height, caption }: HeadPicture, language: string): SchemaNode {
  const measures = width && height ? { width, height } : {};
  return dropEmpty({
    '@type': 'ImageObject',
    inLanguage: language,
    '@id': id,
    url,
    contentUrl: url,
    ...measures,
    caption,
  });
}

/** A trail of one step leads nowhere; only that of the home page is kept. */
function hasTrail({ crumbs }: HeadPage): boolean {
  return crumbs.length > 1;
}

function trailNode({ page }: Scope): SchemaNode | undefined {
  if (!hasTrail(page)) return undefined;
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

function websiteNode(scope: Scope): SchemaNode {
  const { site, home, language } = scope;
  return {
    '@type': 'WebSite',
    '@id': `${home}#website`,
    url: home,
    name: plainText(site.options.website_name) || site.name,
    description: site.description,
    publisher: publisherOf(scope),
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

/** Who stands behind the site: a company with a name and a logo, or a person. */
function publisherOf(scope: Scope): { '@id': string } | undefined {
  const { site, home } = scope;
  if (site.options.company_or_person === 'person') return site.person && { '@id': personId(site.person, scope) };
  return site.logo && { '@id': `${home}#organization` };
}

function organizationNode({ site, home, language }: Scope): SchemaNode | undefined {
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

/** The person that the site is about, and the author of the page; one node where they are the same. */
function personNodes(scope: Scope): SchemaNode[] {
  const { page, site } = scope;
  const author = articleType(scope) === undefined ? page.person : (page.article?.author ?? page.person);
  const represented = site.options.company_or_person === 'person' ? site.person : undefined;
  const people = [represented, author?.id === represented?.id ? undefined : author];
  return people.flatMap((person) => (person ? [personNode(person, person === represented, scope)] : []));
}

function personNode(person: HeadPerson, isSite: boolean, scope: Scope): SchemaNode {
  const { page, site, home, language } = scope;
  const imageId = `${home}#/schema/person/image/`;
  const picture = isSite && site.logo ? site.logo : person.avatar === undefined ? undefined : { url: person.avatar };
  const isOwnPage = page.person?.id === person.id;
  return dropEmpty({
    '@type': isSite ? ['Person', 'Organization'] : 'Person',
    '@id': personId(person, scope),
    name: person.name,
    image: picture && imageNode(imageId, { ...picture, caption: person.name }, language),
    logo: isSite && picture ? { '@id': imageId } : undefined,
    description: person.description,
    sameAs: person.website === '' ? [] : [person.website],
    url: isSite || isOwnPage ? undefined : person.url,
    mainEntityOfPage: isOwnPage ? { '@id': page.url } : undefined,
  });
}

function personId({ id, slug }: HeadPerson, { home }: Scope): string {
  return `${home}#/schema/person/${createHash('md5').update(`${id} ${slug}`).digest('hex')}`;
}
