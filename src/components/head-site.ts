import { changesJsonPath, changesRssPath } from '#catalogue/addresses/change-feed-paths.ts';
import { feedPath, homePath, rootPath } from '#catalogue/addresses/paths.ts';
import type { HeadLink, HeadSite } from '#catalogue/seo/head.ts';
import type { Site } from '#catalogue/site/load-site.ts';
import type { Ui } from '#i18n/index.ts';
import config from '#sortiment.config.ts';
import { sitePreview } from './preview-cards.ts';
import { sharedImage } from './shared-image.ts';

const CHANGES: readonly HeadLink[] = [
  { type: 'application/feed+json', href: changesJsonPath(), title: `${config.site.name}: changes` },
  { type: 'application/rss+xml', href: changesRssPath(), title: `${config.site.name}: changes` },
];

/** What the heads of all pages of a language have in common. */
export function headSite(site: Site, { language, lang, t }: Ui, origin: URL): HeadSite {
  const { name } = config.site;
  const journal = { type: 'application/rss+xml', href: feedPath(language), title: `${name}: ${t('nav.journal')}` };
  return {
    name,
    origin,
    language,
    lang,
    home: homePath(language),
    image: sharedImage(sitePreview(language, config.site, config.mainLanguage), name),
    links: CHANGES,
    feed: site.posts(language).length > 0 ? journal : undefined,
  };
}

/** The same of pages that belong to no language. */
export function plainHeadSite(origin: URL): HeadSite {
  const { name } = config.site;
  return { name, origin, language: undefined, lang: undefined, home: rootPath(), links: CHANGES };
}
