import pageKinds from './page-kinds.json' with { type: 'json' };

/** Page kinds with their own templates: content by type, terms by taxonomy, and the others below. */
export type TemplateKind = 'home' | 'content' | 'term' | 'author' | 'archive' | 'date' | 'search' | '404';

export interface HeadTemplates {
  title: string;
  description: string;
  /** For shared links; empty for title and description. */
  social_title: string;
  social_description: string;
}

const NAMED = { description: '', social_title: '', social_description: '' };

/** Built-in templates. */
export const DEFAULT_TEMPLATES: Readonly<Record<TemplateKind, HeadTemplates>> = {
  home: {
    title: '%%sitename%% %%page%% %%sep%% %%sitedesc%%',
    description: '%%sitedesc%%',
    social_title: '%%sitename%%',
    social_description: '%%sitedesc%%',
  },
  content: { ...NAMED, title: '%%title%% %%page%% %%sep%% %%sitename%%' },
  term: { ...NAMED, title: '%%term_title%% Archives %%page%% %%sep%% %%sitename%%' },
  author: { ...NAMED, title: 'Articles by %%name%% %%page%% %%sep%% %%sitename%%' },
  archive: { ...NAMED, title: '%%pt_plural%% Archive %%page%% %%sep%% %%sitename%%' },
  date: { ...NAMED, title: '%%date%% %%page%% %%sep%% %%sitename%%' },
  search: { ...NAMED, title: 'Search: %%searchphrase%% %%page%% %%sep%% %%sitename%%' },
  404: { ...NAMED, title: 'This page does not exist %%sep%% %%sitename%%' },
};

/** Built-in titles of this and other servers of the interface. */
export const BUILT_IN_TITLES: Readonly<Record<'home' | 'content' | 'term' | 'author', readonly string[]>> = {
  home: [DEFAULT_TEMPLATES.home.title, DEFAULT_TEMPLATES.home.social_title],
  content: [DEFAULT_TEMPLATES.content.title],
  term: [DEFAULT_TEMPLATES.term.title],
  author: [DEFAULT_TEMPLATES.author.title, '%%name%%, Author at %%sitename%%'],
};

/** Separators between page title and site name. */
export const SEPARATORS = ['-', '–', '—', ':', '·', '•', '*', '⋆', '|', '~', '«', '»', '>', '<'] as const;

/** Values of variables by name, such as `title`, `sitename`, `cf_<field>`. Variables without a value are missing. */
export type TemplateVariables = Readonly<Record<string, string | undefined>>;

const VARIABLE = /%%([\w-]{1,80})%%/g;
/** A private-use character, which marks separators until the unused ones are known. */
const SEPARATOR = '\uE000';

/**
 * Fills in a template: `%%title%% %%sep%% %%sitename%%`. Values are inserted once and unchanged. Unknown variables and
 * adjacent separators are removed. White space collapses, except for no-break spaces.
 */
export function fillTemplate(template: string, variables: TemplateVariables): string {
  const separator = variables['sep'] ?? '-';
  const filled = template.replaceAll(SEPARATOR, '').replaceAll(VARIABLE, (_, name: string) => {
    if (name === 'sep') return SEPARATOR;
    // Only own keys are variables: editors could name properties of Object.prototype.
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    return (value ?? '').replaceAll(SEPARATOR, '');
  });
  const parts = filled
    .split(SEPARATOR)
    .map((part) => part.replaceAll(/[^\S\u00A0\u202F]+/g, ' ').trim())
    .filter((part) => part !== '');
  return parts.join(separator === '' ? ' ' : ` ${separator} `);
}

/**
 * Page kinds with their types in schema.org and Open Graph, and their additional variables. Each has its own templates
 * for title and description. The language chooser and the error page are outside of any language.
 */
export const PAGE_KINDS: Readonly<Record<PageKind, { type: string; ogType: string; variables: readonly string[] }>> =
  pageKinds;
export type PageKind = keyof typeof pageKinds;

/**
 * Variables of every page. `title` and `excerpt` are its name and description; `page` is `Page 2` from the second page
 * of a list on, `pagenumber` the number alone.
 */
const COMMON = ['title', 'excerpt', 'page', 'pagenumber', 'sep', 'sitename', 'sitedesc'];

/** Lists the variables of a page kind, without `%%`. */
export function templateVariables(kind: PageKind): string[] {
  return [...COMMON, ...PAGE_KINDS[kind].variables];
}

/** Finds variables of a template that its page kind doesn't have. */
export function unknownVariables(kind: PageKind, template: string): string[] {
  const known = templateVariables(kind);
  const named = [...template.matchAll(/%%([\w-]{1,80})%%/g)].map(([, name = '']) => name);
  return named.filter((name) => !known.includes(name));
}
