import { changesJsonPath, changesRssPath } from '#catalogue/addresses/site-paths.ts';
import { atomPath, feedPath, homePath, rootPath } from '#catalogue/addresses/paths.ts';
import { type HeadSite, localizeTemplates } from '#catalogue/seo/head.ts';
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

/** Returns the head data of the pages of a language. */
export function headSite(site: Site, ui: Ui, origin: URL): HeadSite {
  const { language, lang, t } = ui;
  const hasJournal = site.hasPosts(language);
  const { name, description } = config.site;
  const title = `${name}: ${t('nav.journal')}`;
  const journal = { type: 'application/rss+xml', href: feedPath(language), title };
  const atom = { type: 'application/atom+xml', href: atomPath(language), title };
  const plain = plainHeadSite(ui, origin);
  return {
    ...plain,
    language,
    lang,
    home: homePath(language),
    description: description[language],
    templates: localizeTemplates(language, config.seo.templates),
    page: (number) => t('list.page', { number }),
    image: sharedImage(sitePreview(language, config), name),
    feed: hasJournal ? journal : undefined,
    links: [...(hasJournal ? [atom] : []), ...plain.links],
  };
}

/** Returns the head data of pages without a language. */
export function plainHeadSite(ui: Ui, origin: URL): HeadSite {
  const changes = ui.t('changes.title', { name: config.site.name });
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
    links: [
      { type: 'application/feed+json', href: changesJsonPath(), title: changes },
      { type: 'application/rss+xml', href: changesRssPath(), title: changes },
    ],
  };
}

/** Returns the preview as an image; undefined if there is none. */
export function sharedImage(preview: Preview | undefined, alt: string) {
  return config.shareImages && preview ? { src: preview.path, ...PREVIEW_SIZE, alt } : undefined;
}
