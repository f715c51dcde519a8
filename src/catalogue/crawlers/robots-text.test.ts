import { expect, it } from 'vitest';
import { robotsText } from './llms-text.ts';

const sitemap = 'https://katalog.example/sitemap-index.xml';

/** Finds the rule of the group with this agent. */
const ruleFor = (text: string, agent: string) =>
  text
    .split('\n\n')
    .find((group) => group.split('\n').includes(`User-agent: ${agent}`))
    ?.split('\n')
    .at(-1);

it('says what the crawlers of AI services may, by what they do', () => {
  const text = robotsText({ aiSearch: 'allow', aiTraining: 'disallow' }, sitemap);
  expect(ruleFor(text, '*')).toBe('Allow: /');
  expect(ruleFor(text, 'OAI-SearchBot')).toBe('Allow: /');
  for (const agent of ['GPTBot', 'ClaudeBot', 'Google-Extended', 'CCBot', 'Applebot-Extended'])
    expect(ruleFor(text, agent)).toBe('Disallow: /');
  expect(text).toContain(`\nSitemap: ${sitemap}\n`);
});
