import { readFacts, readPageChromes, readPaths } from '../read-facts.ts';

/** As much of Eleventy's configuration as is used; it comes without types. */
interface EleventyConfig {
  addExtension(extensions: string[], options: { key: string }): void;
  addGlobalData(name: string, value: () => unknown): void;
}

export default function configure(eleventy: EleventyConfig): void {
  const folder = process.env['BENCH_FACTS'] ?? '';
  eleventy.addExtension(['11ty.ts'], { key: '11ty.js' });
  eleventy.addGlobalData('frames', () => readPageChromes(folder));
  eleventy.addGlobalData('pages', () => {
    const facts = [...readFacts(folder)];
    return readPaths(folder).map((path, place) => ({ path, read: facts[place] }));
  });
}

export const config = { templateFormats: ['11ty.ts'] };
