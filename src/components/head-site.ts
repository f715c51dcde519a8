import { changesJsonPath, changesRssPath } from '#catalogue/addresses/site-paths.ts';
import { atomPath, feedPath, homePath, rootPath } from '#catalogue/addresses/paths.ts';
import { type HeadLink, type HeadSite, localizeTemplates } from '#catalogue/seo/head.ts';
import type { Site } from '#catalogue/site/load-site.ts';
import type { Ui } from '#i18n/index.ts';
import config from 'virtual:sortiment/options';
import { sitePreview, type Preview } from './preview-cards.ts';
import { PREVIEW_SIZE } from '#catalogue/images/image-variants.ts';

const { google, bing, yandex, baidu, pinterest, facebook, ahrefs } = config.seo.verification;
/** `<meta>` names of the verification codes of search engines. */
const verification = Object.fromEntries(
  (
    [
      ['google-site-verification', google],
      ['msvalidate.01', bing],
      ['yandex-verification', yandex],
      ['baidu-site-verification', baidu],
      ['p:domain_verify', pinterest],
      ['facebook-domain-verification', facebook],
      ['ahrefs-site-verification', ahrefs],
    ] as const
  ).flatMap(([name, code]) => (code === undefined ? [] : [[name, code]])),
);

function changeLinks({ t }: Ui): HeadLink[] {
  const title = t('changes.title', { name: config.site.name });
  return [
    { type: 'application/feed+json', href: changesJsonPath(), title },
    { type: 'application/rss+xml', href: changesRssPath(), title },
  ];
}

const made = new WeakMap<Site, Map<string, HeadSite>>();

/** Returns the head data that pages of a language share; the same object for all of them. */
export function headSite(site: Site, ui: Ui, origin: URL): HeadSite {
  const cached = made.get(site) ?? new Map<string, HeadSite>();
  made.set(site, cached);
  // Read for each page, so that the read is recorded for each.
  const hasJournal = site.hasPosts(ui.language);
  const name = `${ui.language} ${hasJournal}`;
  const found = cached.get(name) ?? makeHeadSite(hasJournal, ui, origin);
  cached.set(name, found);
  return found;
}

function makeHeadSite(hasJournal: boolean, ui: Ui, origin: URL): HeadSite {
  const { language, lang, t } = ui;
  const { name, description } = config.site;
  const title = `${name}: ${t('nav.journal')}`;
  const journal = { type: 'application/rss+xml', href: feedPath(language), title };
  const atom = { type: 'application/atom+xml', href: atomPath(language), title };
  return {
    ...plainHeadSite(ui, origin),
    language,
    lang,
    home: homePath(language),
    description: description[language],
    templates: localizeTemplates(language, config.seo.templates),
    page: (number) => t('list.page', { number }),
    image: sharedImage(sitePreview(language, config), name),
    feed: hasJournal ? journal : undefined,
    links: [...(hasJournal ? [atom] : []), ...changeLinks(ui)],
  };
}

/** Returns the head data of pages without a language. */
export function plainHeadSite(ui: Ui, origin: URL): HeadSite {
  return {
    name: config.site.name,
    origin,
    language: undefined,
    lang: undefined,
    home: rootPath(),
    separator: config.seo.separator,
    templates: localizeTemplates(config.mainLanguage, config.seo.templates),
    page: String,
    verification,
    links: changeLinks(ui),
  };
}

/** Returns the preview as an image; undefined if there is none. */
export function sharedImage(preview: Preview | undefined, alt: string) {
  return config.shareImages && preview ? { src: preview.path, ...PREVIEW_SIZE, alt } : undefined;
}
