import type { HeadTemplates, TemplateKind, TemplateVariables } from '#contracts/seo/fill-template.ts';
import type { SeoSettings } from '#contracts/seo/settings.ts';
import type { SeoOptions } from '../options.ts';

/** Site data of heads. Texts are plain, as stored. Addresses have no trailing slash. */
export interface HeadSite {
  /** Site name with `&`, `<` and quotes as entities, as in the settings of the core API. */
  name: string;
  description: string;
  url: string;
  /** Locale such as `en_US`. */
  locale: string;
  options: SeoOptions;
  /** Person that publishes the site, if any. */
  person?: HeadPerson | undefined;
  /** Logo of the company or the person. */
  logo?: PageImage | undefined;
  /** Social image of pages without an image. */
  defaultPicture?: PageImage | undefined;
}

/** An image with its known properties. */
export interface PageImage {
  url: string;
  width?: number | undefined;
  height?: number | undefined;
  mimeType?: string | undefined;
  caption?: string | undefined;
  /** Address in the text, if the image was found there. */
  source?: string | undefined;
}

export interface HeadPerson {
  id: number;
  name: string;
  slug: string;
  /** Address of the author's archive page. */
  url: string;
  description: string;
  /** Address of the person's website; empty for none. */
  website: string;
  /** Address of the avatar. */
  avatar?: string | undefined;
}

export interface Crumb {
  name: string;
  url: string;
}

/** Page data of heads. */
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
  crumbs: readonly Crumb[];
  /** Main image of the page. */
  picture?: PageImage | undefined;
  /** Social images chosen by editors. */
  sharedPicture?: PageImage | undefined;
  twitterPicture?: PageImage | undefined;
  /** Set for content only. */
  article?: HeadArticle | undefined;
  /** Set for author pages only. */
  person?: HeadPerson | undefined;
}

/** Content data of heads. Times are ISO 8601 in UTC. */
export interface HeadArticle {
  author: HeadPerson | undefined;
  published: string;
  /** Time of the last change after publication. */
  modified: string | undefined;
  isProtected: boolean;
  words: number;
  /** Reading time; 0 without words and for protected texts. */
  minutes: number;
  /** Number of published comments; undefined if comments are closed. */
  comments: number | undefined;
  tags: readonly string[];
  categories: readonly string[];
}

/** Titles and descriptions of a page, with variables filled in. */
export interface HeadTexts {
  title: string;
  description: string;
  socialTitle: string;
  socialDescription: string;
  /** Empty if equal to the Open Graph texts. */
  twitterTitle: string;
  twitterDescription: string;
}

/** Returns the templates of a page: those of the site, or else the built-in ones. */
export function resolveTemplates(page: HeadPage, { options }: HeadSite, defaults: HeadTemplates): HeadTemplates {
  const siteTemplates = options.templates[page.type] ?? {};
  const choose = (name: keyof HeadTemplates) =>
    siteTemplates[name] === undefined || siteTemplates[name] === '' ? defaults[name] : siteTemplates[name];
  return {
    title: choose('title'),
    description: choose('description'),
    social_title: choose('social_title'),
    social_description: choose('social_description'),
  };
}
