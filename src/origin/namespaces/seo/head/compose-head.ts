import { DEFAULT_TEMPLATES, fillTemplate } from '#contracts/seo/fill-template.ts';
import { robotsDirectives, type RobotsDirectives } from '#contracts/seo/robots.ts';
import { VERIFICATION_KEYS } from '#contracts/seo/site-options.ts';
import type { HeadJson } from '#contracts/seo/head.ts';
import { plainText } from '#origin/platform/render/plain-text.ts';
import { resolveTemplates, type HeadPage, type PageImage, type HeadSite, type HeadTexts } from './head-page.ts';
import { schemaGraph } from './schema-graph.ts';

const SHARED_TYPES = new Set(['image/jpeg', 'image/gif', 'image/png', 'image/webp']);
const VERIFICATION_CODE = /^[\w.:=+/-]{1,200}$/;

/** Composes the head of a page. Keys without a value are omitted. */
export function composeHead(page: HeadPage, site: HeadSite): HeadJson {
  const texts = headTexts(page, site);
  const robots = robotsOf(page);
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
    schema: { '@context': 'https://schema.org', '@graph': schemaGraph(page, site, texts) },
    ...(page.kind === 'home' ? verification(site) : {}),
  };
  return page.kind === '404' ? withoutEmptyValues(errorHead(head)) : withoutEmptyValues(head);
}

/** Returns titles and descriptions from the settings, or else the templates. Fills in variables and strips markup. */
export function headTexts(page: HeadPage, site: HeadSite): HeadTexts {
  const { settings } = page;
  const templates = resolveTemplates(page, site, DEFAULT_TEMPLATES[page.kind]);
  const variables = {
    sitename: site.name,
    sitedesc: site.description,
    sep: site.options.separator,
    ...today(),
    ...page.variables,
    focuskw: settings.focus_keyphrase,
  };
  const fill = (text: string) => plainText(fillTemplate(text, variables));
  const title = fill(settings.title || templates.title) || fill(DEFAULT_TEMPLATES[page.kind].title);
  const description = fill(settings.description || templates.description);
  return {
    title,
    description,
    socialTitle: fill(settings.og_title || templates.social_title) || title,
    socialDescription: fill(settings.og_description || templates.social_description) || description || page.summary,
    twitterTitle: fill(settings.twitter_title),
    twitterDescription: fill(settings.twitter_description),
  };
}

function today(): Record<string, string> {
  const date = new Date().toISOString().slice(0, 10);
  const [year = '', month = '', day = ''] = date.split('-');
  return { currentdate: date, currentyear: year, currentmonth: month, currentday: day };
}

function robotsOf({ settings, isNoindex }: HeadPage): RobotsDirectives {
  return robotsDirectives({
    noindex: isNoindex,
    nofollow: settings.nofollow,
    noimageindex: settings.noimageindex,
    noarchive: settings.noarchive,
    nosnippet: settings.nosnippet,
  });
}

function openGraph(page: HeadPage, site: HeadSite, texts: HeadTexts, canonical: string): HeadJson {
  const pictures = [page.sharedPicture ?? page.picture ?? site.defaultPicture].flatMap((picture) => picture ?? []);
  return {
    og_locale: site.locale,
    og_type: openGraphType(page),
    og_title: texts.socialTitle,
    og_description: texts.socialDescription,
    og_url: canonical,
    og_site_name: site.name,
    og_image: pictures.filter(canBeShared).map(toOpenGraphImage),
  };
}

function openGraphType({ kind }: HeadPage): string {
  if (kind === 'author') return 'profile';
  return kind === 'content' || kind === 'term' || kind === 'search' ? 'article' : 'website';
}

function canBeShared({ mimeType }: PageImage): boolean {
  return mimeType === undefined || SHARED_TYPES.has(mimeType);
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
  const codeOf = (key: (typeof VERIFICATION_KEYS)[number]) => {
    const code = options.verification[key] ?? '';
    return VERIFICATION_CODE.test(code) ? code : undefined;
  };
  return Object.fromEntries(VERIFICATION_KEYS.map((key) => [key, codeOf(key)]));
}

/** Reduces the head of the 404 page to site data. */
function errorHead({ title, description, robots, og_locale, og_title, og_site_name, schema }: HeadJson): HeadJson {
  return { title, description, robots, og_locale, og_title, og_site_name, schema };
}

function withoutEmptyValues(head: HeadJson): HeadJson {
  return Object.fromEntries(
    Object.entries(head).filter(
      ([, value]) => value !== undefined && value !== '' && (!Array.isArray(value) || value.length > 0),
    ),
  );
}
