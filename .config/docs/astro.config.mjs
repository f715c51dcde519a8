import { cpSync, readdirSync } from 'node:fs';
import path from 'node:path';
import starlight from '@astrojs/starlight';
import { defineConfig } from 'astro/config';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Pages by group, in reading order. Pages that no group names are guides. */
const TUTORIAL = ['tutorial', 'getting-started', 'install', 'upgrade'];
const GUIDES = ['make-it-yours', 'own-pages', 'upstreams', 'import', 'origin', 'sync', 'build', 'deploy'];
const REFERENCE = ['commands', 'configuration', 'sync-guarantees', 'html', 'interface-deviations'];
const CONTRIBUTING = ['contributing', 'architecture'];

const pages = readdirSync(path.join(ROOT, 'content/docs'), { encoding: 'utf8' }).map((file) => path.parse(file).name);
const grouped = new Set([...TUTORIAL, ...GUIDES, ...REFERENCE, ...CONTRIBUTING]);
const others = pages.filter((page) => !grouped.has(page));

/** Labels of pages whose file name isn't one. */
const LABELS = { seo: 'Search engines', html: 'HTML in texts' };
const labelOf = (page) => LABELS[page] ?? page[0].toUpperCase() + page.slice(1).replaceAll('-', ' ');
const group = (label, names) => ({ label, items: names.map((slug) => ({ slug, label: labelOf(slug) })) });

export default defineConfig({
  outDir: '../../.sortiment/docs',
  publicDir: '../../public',
  devToolbar: { enabled: false },
  integrations: [
    starlight({
      title: 'Sortiment',
      customCss: ['./src/site.css'],
      // Blocks that scroll would need a name for screen readers.
      expressiveCode: { defaultProps: { wrap: true } },
      markdown: { processedDirs: ['../../content/docs', '../..'] },
      sidebar: [
        group('Tutorial', TUTORIAL),
        group('Guides', [...GUIDES, ...others]),
        group('Reference', REFERENCE),
        group('Contributing', CONTRIBUTING),
      ],
    }),
    {
      name: 'screenshots',
      hooks: {
        'astro:build:done': ({ dir }) =>
          cpSync(path.join(ROOT, '.github/screenshots'), new URL('screenshots/', dir), { recursive: true }),
      },
    },
  ],
});
