export interface CrawlerChoices {
  aiSearch: 'allow' | 'disallow';
  aiTraining: 'allow' | 'disallow';
}

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
export function robotsText(choices: CrawlerChoices, sitemap: string): string {
  const groups = [group(['*'], 'allow'), group(AI_SEARCH, choices.aiSearch), group(AI_TRAINING, choices.aiTraining)];
  return `${[...groups, `Sitemap: ${sitemap}`].join('\n\n')}\n`;
}

function group(agents: readonly string[], choice: 'allow' | 'disallow'): string {
  return [...agents.map((agent) => `User-agent: ${agent}`), choice === 'allow' ? 'Allow: /' : 'Disallow: /'].join('\n');
}
