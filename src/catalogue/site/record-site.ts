import { noteAnswer, question } from '../port/reads.ts';
import type { Site } from './site.ts';

/** What pages ask a site for that may be another in the next build. All else is of the project. */
const ASKED = [
  'count',
  'product',
  'named',
  'neighbours',
  'variants',
  'accessories',
  'successor',
  'productGroups',
  'documents',
  'discontinued',
  'norms',
  'normInGroup',
  'directoryPages',
  'directoryRows',
  'posts',
  'hasPosts',
  'pages',
  'page',
  'podcast',
  'hasPodcast',
  'episodes',
  'head',
  'productDigest',
] as const satisfies readonly (keyof Site)[];

const SHOWN = ['languages', 'mainLanguage', 'snapshot', 'stale'] as const satisfies readonly (keyof Site)[];

for (const name of ASKED)
  question(name, (site: Record<string, (...args: unknown[]) => unknown>, ...args: unknown[]) => site[name]?.(...args));
for (const name of SHOWN) question(name, (site: Pick<Site, typeof name>) => site[name]);

/** The same site, of which is noted what each page reads. */
export function recordSite(site: Site): Site {
  const asked = ASKED.map((name) => {
    const ask = site[name] as (...args: unknown[]) => unknown;
    return [name, (...args: unknown[]) => noteAnswer(name, args, () => ask(...args))];
  });
  const recorded: Site = {
    ...site,
    ...Object.fromEntries(asked),
    details: (listed) => {
      recorded.productDigest(listed.pageLanguage, listed.gtin);
      return site.details(listed);
    },
  };
  for (const name of SHOWN)
    Object.defineProperty(recorded, name, { enumerable: true, get: () => noteAnswer(name, [], () => site[name]) });
  return recorded;
}
