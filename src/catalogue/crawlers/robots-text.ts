export interface CrawlerChoices {
  aiSearch: 'allow' | 'disallow';
  aiTraining: 'allow' | 'disallow';
}

/** Crawlers that answer questions with a link to where they have it from. */
const AI_SEARCH = [
  'OAI-SearchBot',
  'ChatGPT-User',
  'Claude-SearchBot',
  'Claude-User',
  'PerplexityBot',
  'Perplexity-User',
];
/** Crawlers, and names that stand for a use, which collect texts to train models with. */
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

/** robots.txt (RFC 9309): one group for all, and one for each use that AI services make of the site. */
export function robotsText(choices: CrawlerChoices, sitemap: string): string {
  const groups = [group(['*'], 'allow'), group(AI_SEARCH, choices.aiSearch), group(AI_TRAINING, choices.aiTraining)];
  return `${[...groups, `Sitemap: ${sitemap}`].join('\n\n')}\n`;
}

function group(agents: readonly string[], choice: 'allow' | 'disallow'): string {
  return [...agents.map((agent) => `User-agent: ${agent}`), choice === 'allow' ? 'Allow: /' : 'Disallow: /'].join('\n');
}
