import type { HeadTemplates, SeoSettings, TemplateKind, TemplateVariables } from '#contracts/seo/index.ts';
import type { SeoOptions } from '../options.ts';

/** The site as its heads name it. Texts are plain, as stored; addresses have no slash at the end. */
export interface HeadSite {
  /** With `&`, `<` and quotes as entities, as the settings of the core interface show it. */
  name: string;
  description: string;
  url: string;
  /** Such as `en_US`. */
  locale: string;
  options: SeoOptions;
  /** The person that the site is about, where it is about one. */
  person?: HeadPerson | undefined;
  /** Logo of the company or the person. */
  logo?: HeadPicture | undefined;
  /** Picture of pages without one, when they are shared. */
  defaultPicture?: HeadPicture | undefined;
}

/** A picture with what is known of it. */
export interface HeadPicture {
  url: string;
  width?: number | undefined;
  height?: number | undefined;
  mimeType?: string | undefined;
  caption?: string | undefined;
  /** Address that it has in the text, where it was found there. */
  source?: string | undefined;
}

export interface HeadPerson {
  id: number;
  name: string;
  slug: string;
  /** Address of the page that lists what they wrote. */
  url: string;
  description: string;
  /** Address of a site of their own, empty for none. */
  website: string;
  /** Address of their picture. */
  avatar?: string | undefined;
}

export interface Crumb {
  name: string;
  url: string;
}

/** Everything that the head of one page is made of. */
export interface HeadPage {
  kind: TemplateKind;
  /** Type of content or taxonomy; the kind for others. */
  type: string;
  /** Id of the row; 0 for pages of the site itself. */
  id: number;
  /** Address of the page. */
  url: string;
  /** What it is called. */
  name: string;
  settings: SeoSettings;
  /** Values of variables beside those of the site. */
  variables: TemplateVariables;
  /** What stands for its description when it is shared and has none. */
  summary: string;
  isNoindex: boolean;
  /** From the home page to the page itself. */
  crumbs: readonly Crumb[];
  /** Picture that shows what it is about. */
  picture?: HeadPicture | undefined;
  /** Pictures that editors chose for sharing. */
  sharedPicture?: HeadPicture | undefined;
  twitterPicture?: HeadPicture | undefined;
  /** Only content. */
  article?: HeadArticle | undefined;
  /** Only pages of authors. */
  person?: HeadPerson | undefined;
}

/** What only content has. Times are ISO, in UTC. */
export interface HeadArticle {
  author: HeadPerson | undefined;
  published: string;
  /** Where it was changed after it was published. */
  modified: string | undefined;
  isProtected: boolean;
  words: number;
  /** Reading time; 0 without words, and where a password locks the text. */
  minutes: number;
  /** Of published comments, where new ones are taken. */
  comments: number | undefined;
  tags: readonly string[];
  categories: readonly string[];
}

/** Filled titles and descriptions of a page. */
export interface HeadTexts {
  title: string;
  description: string;
  socialTitle: string;
  socialDescription: string;
  /** Only where they differ from those of Open Graph. */
  twitterTitle: string;
  twitterDescription: string;
}

/** The templates of a page: those of the site, else the built-in ones. */
export function templatesOf(page: HeadPage, { options }: HeadSite, usual: HeadTemplates): HeadTemplates {
  const own = options.templates[page.type] ?? {};
  const choose = (name: keyof HeadTemplates) => (own[name] === undefined || own[name] === '' ? usual[name] : own[name]);
  return {
    title: choose('title'),
    description: choose('description'),
    social_title: choose('social_title'),
    social_description: choose('social_description'),
  };
}
