import { defineCommand } from 'citty';
import { runCommand } from './cli/index.ts';

await runCommand(
  defineCommand({
    meta: {
      name: 'node scripts/screenshots.ts',
      description:
        'Takes the pictures of the built site that the README shows: every kind of page, three widths, light and dark.',
    },
    args: {
      folder: { type: 'string', default: '.github/screenshots', description: 'Where to put them' },
      only: { type: 'string', description: 'Kinds of pages, parted by commas; else all' },
      originals: { type: 'boolean', description: 'Keeps each picture as a PNG too, in full size' },
    },
    run: async ({ args }) => {
      const { launchBrowser } = await import('../src/e2e/launch-browser.ts');
      const { PAGE_KINDS, pageOf } = await import('../src/e2e/page-kinds.ts');
      const { pagesBelow } = await import('../src/e2e/pages-below.ts');
      const { takeScreenshots } = await import('../src/e2e/take-screenshots.ts');
      const { startSiteServer } = await import('../src/integration/serve/index.ts');
      const { loadSettings } = await import('./cli/load-settings.ts');

      const { distFolder } = await loadSettings();
      const built = await pagesBelow(distFolder);
      const kinds = PAGE_KINDS.filter((kind) => !args.only || args.only.split(',').includes(kind));
      const pages = Object.fromEntries(kinds.map((kind) => [kind, pageOf(kind, built)]));
      const server = await startSiteServer({ distFolder, port: 0 });
      const browser = await launchBrowser();
      try {
        const { folder, originals } = args;
        const files = await takeScreenshots(browser, {
          siteUrl: server.url,
          pages,
          folder,
          keepOriginals: Boolean(originals),
        });
        console.log(files.join('\n'));
      } finally {
        await browser.close();
        await server.close();
      }
    },
  }),
);
