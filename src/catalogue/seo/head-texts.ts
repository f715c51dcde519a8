import { LONGEST_DESCRIPTION, WIDEST_TITLE_PX } from '#analysis/checks/head-checks.ts';
import { titleWidthPx } from '#analysis/text/pixel-width.ts';
import { localized } from '#contracts/localized.ts';
import { fillTemplate, type TemplateVariables } from '#contracts/seo/fill-template.ts';
import { shortenText } from '../journal/excerpt.ts';
import type { PageKind } from '#contracts/seo/page-kinds.ts';

/** As they are written: `%%title%% %%sep%% %%sitename%%`. */
export interface PageTemplates {
  title?: string | undefined;
  description?: string | undefined;
}

/** What the texts in the head of a page are made of. */
export interface PageTexts {
  kind: PageKind;
  /** What the page is about, without the site's name and the number of the page. */
  title: string;
  description?: string | undefined;
  /** Of a list that is cut into pages, counted from 1. */
  number?: number;
  /** More for templates: `templateVariables` of its kind. */
  variables?: TemplateVariables;
  /** What is written for this page alone, instead of the templates of its kind. */
  templates?: PageTemplates | undefined;
}

/** What the texts of all pages of a language have in common. */
export interface SiteTexts {
  name: string;
  /** BCP 47 tag of the language that the site's own texts are in; undefined where it is chosen. */
  lang: string | undefined;
  /** One sentence about the site. */
  description?: string | undefined;
  separator: string;
  /** What is chosen for titles and descriptions; the rest is as usual. */
  templates: Readonly<Partial<Record<PageKind, PageTemplates>>>;
  /** `Page 2`. */
  page: (number: number) => string;
}

const TITLE = '%%title%% %%sep%% %%page%% %%sep%% %%sitename%%';
/** Without what the title of the window has around it. */
const NAME = '%%title%% %%sep%% %%page%%';
const DESCRIPTION = '%%excerpt%% %%sep%% %%page%%';
/** Formats of a product share a text. */
const PRODUCT_DESCRIPTION = '%%excerpt%% %%sep%% %%sku%%';
/** One of its own even where nothing is written of it. */
const PRODUCT_WITHOUT_TEXT = '%%title%% %%sep%% %%sku%% %%sep%% %%category%%';

/**
 * What is written for the page, else for its kind, else as usual.
 * @returns Its title, its name without the site's, its description.
 */
export function headTexts(
  page: PageTexts,
  site: SiteTexts,
): { title: string; name: string; description: string | undefined } {
  const { number = 1, templates: own } = page;
  const chosen = site.templates[page.kind];
  const values: TemplateVariables = {
    ...page.variables,
    title: page.title,
    excerpt: page.description,
    page: number > 1 ? site.page(number) : '',
    pagenumber: number > 1 ? String(number) : '',
    sep: site.separator,
    sitename: site.name,
    sitedesc: site.description,
  };
  const title = own?.title ?? chosen?.title;
  const description = own?.description ?? chosen?.description ?? usualDescription(page);
  return {
    title: title === undefined ? usualTitle(page, values) : fillTemplate(title, values),
    name: fillTemplate(own?.title ?? NAME, values),
    description: describe(description, values, site.lang ?? '') || undefined,
  };
}

/** Home pages are named as the site is, and long titles go without its name: search results show that above them. */
function usualTitle({ kind, title }: PageTexts, values: TemplateVariables): string {
  const name = fillTemplate(NAME, values);
  if (isHome(kind) || title === values['sitename']) return name;
  const whole = fillTemplate(TITLE, values);
  return titleWidthPx(whole) > WIDEST_TITLE_PX ? name : whole;
}

/** Fills a template for a description. An excerpt is shortened so that all of it is shown; the rest is as written. */
function describe(template: string, values: TemplateVariables, language: string): string {
  const whole = fillTemplate(template, values);
  const { excerpt = '' } = values;
  const room = LONGEST_DESCRIPTION - (whole.length - fillTemplate('%%excerpt%%', values).length);
  if (whole.length <= LONGEST_DESCRIPTION || room <= 0) return whole;
  return fillTemplate(template, { ...values, excerpt: shortenText(excerpt, language, room) });
}

export const isHome = (kind: PageKind): boolean => kind === 'home' || kind === 'chooser';

function usualDescription({ kind, description }: PageTexts): string {
  if (kind === 'product') return description ? PRODUCT_DESCRIPTION : PRODUCT_WITHOUT_TEXT;
  return description ? DESCRIPTION : '';
}

/** One for all languages, or by language. */
type Written = string | Readonly<Record<string, string>> | undefined;

/** What is chosen for a language. @param templates `seo.templates` of the configuration. */
export function templatesIn(
  language: string,
  templates: Readonly<Partial<Record<PageKind, { title?: Written; description?: Written }>>>,
): SiteTexts['templates'] {
  const textOf = (written: Written) => (typeof written === 'object' ? localized(written, language, language) : written);
  return Object.fromEntries(
    Object.entries(templates).map(([kind, { title, description }]) => [
      kind,
      { title: textOf(title), description: textOf(description) },
    ]),
  );
}
