import { runScript } from './cli/index.ts';

/** Page kinds that represent the site best. */
const SHOWN = ['home', 'products', 'family', 'product', 'compare', 'norm', 'downloads', 'search', 'journal', 'article'];

export default await runScript(import.meta, {
  meta: {
    name: 'node scripts/screenshots.ts',
    description:
      'Take the screenshots of the README from the built site: every page kind, three widths, light and dark.',
  },
  args: {
    folder: { type: 'string', default: '.github/screenshots', description: 'Output folder' },
    only: { type: 'string', description: 'Page kinds, comma-separated (default: all)' },
    originals: { type: 'boolean', description: 'Also save each picture as a full-size PNG' },
  },
  run: async ({ args }) => {
    const { launchBrowser } = await import('#e2e/launch-browser.ts');
    const { samplePages } = await import('#e2e/page-kinds.ts');
    const { listHtmlPages } = await import('#e2e/list-html-pages.ts');
    const { takeScreenshots } = await import('#e2e/take-screenshots.ts');
    const { startSiteServer } = await import('#build/serve/start-site-server.ts');
    const { loadSettings } = await import('./cli/load-settings.ts');

    const { distFolder } = await loadSettings();
    const samples = samplePages(await listHtmlPages(distFolder), 'de-de');
    const selected = args.only ? args.only.split(',') : SHOWN;
    const pages = Object.fromEntries(Object.entries(samples).filter(([kind]) => selected.includes(kind)));
    const server = await startSiteServer({ distFolder, port: 0 });
    const browser = await launchBrowser();
    try {
      const { folder, originals } = args;
      const options = { siteUrl: server.url, pages, folder, keepOriginals: Boolean(originals) };
      const files = await takeScreenshots(browser, options);
      console.log(files.join('\n'));
    } finally {
      await browser.close();
      await server.close();
    }
  },
});
