import { expect, it } from 'vitest';
import { createEpisode, createPodcast, createPodcastSite } from '../testing/create-episode.ts';
import { createProductEntry } from '../testing/create-product-entry.ts';
import { digestProductQueries } from './tracked-queries.ts';
import '../podcast/podcast-pages.ts';

const english = { language: 'en-gb', pageLanguage: 'en-gb' };
const tape = createProductEntry({ ...english, name: 'KLEVENTO Uni 60', gtin: '9524010000085', slug: 'tape' });
const primer = createProductEntry({ ...english, name: 'GRUNDO Primer 5', gtin: '9524010000016', slug: 'primer' });
const offered = [tape, primer];

/** Two episodes, each about a product. */
const digestsWith = (title: string, html = `<p>${primer.name}</p>`) =>
  digestProductQueries(
    {
      ...createPodcastSite(createPodcast(), [
        createEpisode({ slug: 'tapes', chapters: [], html: `<p>${tape.name}</p>` }),
        createEpisode({ slug: 'primers', title, chapters: [], html }),
      ]),
      named: (_: string, names: readonly string[]) => offered.filter(({ name }) => names.includes(name)),
      product: (_: string, gtin: string) => offered.find((product) => product.gtin === gtin),
    },
    () => undefined,
  );

const changedIn = (before: Record<string, string>, after: Record<string, string>): string[] =>
  Object.keys({ ...before, ...after }).filter((place) => before[place] !== after[place]);

it('tells the products whose pages show another episode than before', () => {
  const before = digestsWith('Primers');
  expect(Object.keys(before)).toEqual(['en-gb/9524010000085', 'en-gb/9524010000016']);
  expect(changedIn(before, digestsWith('Primers'))).toEqual([]);
  expect(changedIn(before, digestsWith('All about primers'))).toEqual(['en-gb/9524010000016']);
  expect(changedIn(before, digestsWith('Primers', '<p>Nothing.</p>'))).toEqual(['en-gb/9524010000016']);
});
