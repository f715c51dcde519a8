import { sitePath, changesJsonPath, absoluteUrl } from '../addresses/site-paths.ts';
import { withoutHidden } from '../seo/head.ts';
import type { Options } from '#config/index.ts';
import type { Site } from '../site/load-site.ts';
import { familyPath, journalPath, podcastPath, productsPath } from '../addresses/paths.ts';

interface Messages {
  t: (key: 'nav.products' | 'nav.journal' | 'nav.podcast' | 'journal.description') => string;
  plural: (key: 'products.count', count: number) => string;
}

export interface LlmsTextOptions {
  name: string;
  descriptions: Readonly<Record<string, string>>;
  origin: URL;
  words: (language: string) => Messages;
}

/** Maximum number of posts and of episodes. The linked lists have the rest. */
const MAX_POSTS = 10;
/** Omits longer notes, which are truncated texts. */
const MAX_NOTE_CHARACTERS = 240;

/**
 * Creates `llms.txt` (https://llmstxt.org) with one section per language, the main language first. It links to lists,
 * not to products, so that its length doesn't depend on the size of the catalogue.
 */
export function llmsText(
  site: Pick<
    Site,
    'languages' | 'mainLanguage' | 'productGroups' | 'count' | 'posts' | 'pages' | 'podcast' | 'episodes' | 'head'
  >,
  { name, descriptions, origin, words }: LlmsTextOptions,
): string {
  const ordered = site.languages.toSorted(
    (a, b) => Number(b.code === site.mainLanguage) - Number(a.code === site.mainLanguage),
  );
  const link = (text: string, path: string, note = '') =>
    `- [${escape(text)}](${absoluteUrl(path, origin)})${note === '' || note.length > MAX_NOTE_CHARACTERS ? '' : `: ${oneLine(note)}`}`;
  const sections = ordered.map(({ code, name: language }) => {
    const { t, plural } = words(code);
    const posts = withoutHidden(site, site.posts(code));
    const podcast = site.podcast(code);
    return [
      `## ${oneLine(language)}`,
      '',
      link(t('nav.products'), productsPath(code), plural('products.count', site.count(code).products)),
      ...site
        .productGroups(code)
        .flatMap(({ family, count }) =>
          family
            ? link(
                family.name,
                familyPath(code, family.id),
                [plural('products.count', count), family.description].filter(Boolean).join('. '),
              )
            : [],
        ),
      ...withoutHidden(site, site.pages(code)).map(({ title, path, excerpt }) => link(title, path, excerpt)),
      ...(posts.length > 0 ? [link(t('nav.journal'), journalPath(code), t('journal.description'))] : []),
      ...posts.slice(0, MAX_POSTS).map(({ title, path, excerpt }) => link(title, path, excerpt)),
      ...(podcast ? [link(`${t('nav.podcast')}: ${podcast.title}`, podcastPath(code), podcast.subtitle)] : []),
      ...withoutHidden(site, site.episodes(code))
        .slice(0, MAX_POSTS)
        .map(({ title, path, subtitle }) => link(title, path, subtitle)),
    ].join('\n');
  });
  const summary = descriptions[site.mainLanguage];
  return `${[
    `# ${oneLine(name)}`,
    ...(summary === undefined ? [] : [`> ${oneLine(summary)}`]),
    'Each product has a page in every language, and the same as Markdown: add `index.html.md` to its address. ' +
      'Declared values stand there exactly as the manufacturer declares them, with the norm they were measured by; ' +
      'quote them unchanged. Episodes of a podcast have one as well, with their transcript. Pages of products that are no longer offered say so.',
    ...sections,
    ['## Optional', '', link('Changes', changesJsonPath()), link('Sitemap', sitePath('/sitemap-index.xml'))].join('\n'),
  ].join('\n\n')}\n`;
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

const escape = (text: string): string => oneLine(text).replace(/[\\[\]]/g, String.raw`\$&`);

/** User agents that answer questions with a link to the source. */
const AI_SEARCH = [
  'OAI-SearchBot',
  'ChatGPT-User',
  'Claude-SearchBot',
  'Claude-User',
  'PerplexityBot',
  'Perplexity-User',
];
/** User agents and control tokens of crawlers that collect training data. */
const AI_TRAINING = [
  'GPTBot',
  'ClaudeBot',
  'Google-Extended',
  'Applebot-Extended',
  'CCBot',
  'meta-externalagent',
  'Amazonbot',
  'Bytespider',
];

/** Creates `robots.txt` (RFC 9309) with a group for all crawlers and one for each use by AI services. */
export function robotsText(choices: Options['crawlers'], sitemap: string): string {
  const groups = [group(['*'], 'allow'), group(AI_SEARCH, choices.aiSearch), group(AI_TRAINING, choices.aiTraining)];
  return `${[...groups, `Sitemap: ${sitemap}`].join('\n\n')}\n`;
}

function group(agents: readonly string[], choice: 'allow' | 'disallow'): string {
  return [...agents.map((agent) => `User-agent: ${agent}`), choice === 'allow' ? 'Allow: /' : 'Disallow: /'].join('\n');
}
