/** Kinds of pages that have templates of their own: of content by its type, of terms by their taxonomy, and these. */
export type TemplateKind = 'home' | 'content' | 'term' | 'author' | 'archive' | 'date' | 'search' | '404';

export interface HeadTemplates {
  title: string;
  description: string;
  /** When the page is shared; empty for title and description. */
  social_title: string;
  social_description: string;
}

const NAMED = { description: '', social_title: '', social_description: '' };

/** What pages are called unless somebody says otherwise. */
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

/** Built-in titles of servers of this interface: those above, and known ones of other servers. */
export const BUILT_IN_TITLES: Readonly<Record<'home' | 'content' | 'term' | 'author', readonly string[]>> = {
  home: [DEFAULT_TEMPLATES.home.title, DEFAULT_TEMPLATES.home.social_title],
  content: [DEFAULT_TEMPLATES.content.title],
  term: [DEFAULT_TEMPLATES.term.title],
  author: [DEFAULT_TEMPLATES.author.title, '%%name%%, Author at %%sitename%%'],
};

/** Signs that may part the title of a page from the name of the site. */
export const SEPARATORS = ['-', '–', '—', ':', '·', '•', '*', '⋆', '|', '~', '«', '»', '>', '<'] as const;

/** Values of variables by their names, such as `title`, `sitename`, `cf_<field>`. Those without a value are left out. */
export type TemplateVariables = Readonly<Record<string, string | undefined>>;

const VARIABLE = /%%([\w-]{1,80})%%/g;
/** Of no text: it is for private use. Stands for separators until it is known which of them stay. */
const SEPARATOR = '\uE000';

/**
 * Fills a template: `%%title%% %%sep%% %%sitename%%`. Values are put in as they are, once; unknown variables are left
 * out, and so are separators next to nothing. White space collapses, except for no-break spaces.
 */
export function fillTemplate(template: string, variables: TemplateVariables): string {
  const separator = variables['sep'] ?? '-';
  const filled = template.replaceAll(SEPARATOR, '').replaceAll(VARIABLE, (_, name: string) => {
    if (name === 'sep') return SEPARATOR;
    // Whoever writes templates may name what every object has: only own keys are variables.
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    return (value ?? '').replaceAll(SEPARATOR, '');
  });
  const parts = filled
    .split(SEPARATOR)
    .map((part) => part.replaceAll(/[^\S\u00A0\u202F]+/g, ' ').trim())
    .filter((part) => part !== '');
  return parts.join(separator === '' ? ' ' : ` ${separator} `);
}
