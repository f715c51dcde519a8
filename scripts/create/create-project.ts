import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { COMMANDS } from '../cli/command-names.ts';

/** Hosting platforms for which files are written. */
export const HOSTS = ['none', 'netlify', 'cloudflare', 'github'] as const;

export interface ProjectAnswers {
  /** Name of the manufacturer, which is also that of the site. */
  name: string;
  /** Languages of the product interface, the main one first: `nl-nl`. */
  languages: readonly string[];
  /** Accent colour on paper, such as `#0a6bc9`. */
  accent: string;
  host: (typeof HOSTS)[number];
  /** Addresses of the interfaces; empty if unknown. */
  productUrl: string;
  publishingUrl: string;
}

export interface Versions {
  sortiment: string;
  astro: string;
  mdx: string;
}

/**
 * Writes the files of a new project.
 * @returns Paths of the files, relative to the folder.
 * @throws Error if the folder isn't empty.
 */
export function createProject(folder: string, answers: ProjectAnswers, versions: Versions): string[] {
  checkFolder(folder);
  const files = { ...projectFiles(answers, versions), ...hostFiles(answers.host) };
  for (const [file, text] of Object.entries(files)) {
    const target = path.join(folder, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text, { flag: 'wx' });
  }
  return Object.keys(files);
}

/** @throws Error if a folder exists and isn't empty. */
export function checkFolder(folder: string): void {
  const present = existsSync(folder) ? readdirSync(folder).filter((name) => name !== '.git') : [];
  if (present.length > 0) throw new Error(`${folder} is not empty: it contains ${present[0]}. Choose another folder.`);
}

function projectFiles(answers: ProjectAnswers, { sortiment, astro, mdx }: Versions): Record<string, string> {
  const { name, languages, accent, host, productUrl, publishingUrl } = answers;
  const [main = 'en-gb'] = languages;
  const manifest = {
    name: packageName(name),
    private: true,
    type: 'module',
    engines: { node: '>=24.0' },
    scripts: Object.fromEntries(COMMANDS.map((command) => [command, `sortiment ${command}`])),
    // Builds depend on details of Astro, so its version is exact.
    dependencies: { '@astrojs/mdx': mdx, astro, sortiment: `^${sortiment}` },
  };
  return {
    'package.json': `${JSON.stringify(manifest, undefined, 2)}\n`,
    'astro.config.mjs': ASTRO_CONFIG,
    'tsconfig.json': TSCONFIG,
    '.gitignore': 'node_modules\ndist/\n.astro/\n.sortiment/\n.env\n',
    '.env': `PRODUCT_API_URL=${productUrl}\nPRODUCT_API_TOKEN=\nPUBLISHING_URL=${publishingUrl}\nSITE_URL=\n`,
    'src/content.config.ts': CONTENT_CONFIG,
    'src/sortiment.config.ts': `import { defineConfig } from 'sortiment/config';

export default defineConfig({
  site: { name: ${quote(name)} },
  brand: { accent: { light: '${accent}', dark: '${lighten(accent)}' } },
  maker: {
    name: ${quote(name)},
    address: ['Street 1', '0000 Town'],
    email: 'info@example.com',
  },
  mainLanguage: ${quote(main)},
  languages: [${languages.map((code) => quote(code)).join(', ')}],
  host: ${quote(host === 'github' ? 'none' : host)},
});
`,
    'content/assortment/products.csv': 'gtin,family\n',
    [`content/pages/${main}/legal-notice.mdx`]: `---\ntitle: Legal notice\norder: 1\n---\n\n${name}\n`,
    'content/products/.gitkeep': '',
    'public/favicon.svg': drawIcon(name, accent),
    'README.md': describeProject(name),
  };
}

const ASTRO_CONFIG = `import mdx from '@astrojs/mdx';
import { defineConfig } from 'astro/config';
import { sortiment } from 'sortiment';
import options from './src/sortiment.config.ts';

const catalogue = sortiment(options, import.meta.dirname);

export default defineConfig({
  site: catalogue.site,
  integrations: [catalogue, mdx()],
});
`;

const CONTENT_CONFIG = `import { sortimentCollections } from 'sortiment/collections';
import options from './sortiment.config.ts';

export const collections = sortimentCollections(options);
`;

const TSCONFIG = `{
  "extends": "astro/tsconfigs/strict",
  "include": [".astro/types.d.ts", "**/*"],
  "exclude": ["dist", ".sortiment"],
  "compilerOptions": { "allowImportingTsExtensions": true, "noEmit": true }
}
`;

function describeProject(name: string): string {
  return `# ${name}

1. Enter the address and the token of the product interface in \`.env\`, and of the publishing site if there is one.
2. List your products in \`content/assortment/products.csv\`: GTIN-13 and family.
3. \`npm install\`, then \`npm run doctor\` checks the addresses and \`npm start\` shows the site.

\`npm run sync\` fetches products and articles (exit code 10: changed), \`npm run build\` writes \`dist/\`. Name, address,
languages and everything else is set in \`src/sortiment.config.ts\`. \`npm update\` installs later versions.
`;
}

/** Returns a text as a literal of the configuration. */
function quote(text: string): string {
  return `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
}

/** Mixes a colour with white, for dark backgrounds. */
function lighten(colour: string): string {
  const parts = [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16));
  return `#${parts
    .map((part) =>
      Math.round(part + (255 - part) * 0.6)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}

/** Draws the initial of a name on the accent colour. */
function drawIcon(name: string, accent: string): string {
  const initial = /\p{L}/u.exec(name)?.[0].toUpperCase() ?? 'S';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="4" fill="${accent}"/><text x="16" y="23" font-family="sans-serif" font-size="20" font-weight="700" text-anchor="middle" fill="#fff">${initial}</text></svg>\n`;
}

function packageName(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '') || 'catalogue';
}

const BUILD_COMMAND = 'npm run sync -- --exit-zero && npm run build';

function hostFiles(host: ProjectAnswers['host']): Record<string, string> {
  const files: Record<ProjectAnswers['host'], Record<string, string>> = {
    none: {},
    netlify: {
      'netlify.toml': `[build]\n  command = "${BUILD_COMMAND}"\n  publish = "dist"\n\n[build.environment]\n  NODE_VERSION = "24"\n`,
    },
    cloudflare: {
      'wrangler.jsonc': `{\n  "name": "catalogue",\n  "compatibility_date": "2026-11-01",\n  "build": { "command": "${BUILD_COMMAND}" },\n  "assets": { "directory": "./dist", "not_found_handling": "404-page" }\n}\n`,
    },
    github: { '.github/workflows/deploy.yml': GITHUB_WORKFLOW },
  };
  return files[host];
}

const GITHUB_WORKFLOW = `name: Deploy
on:
  push:
    branches: [main]
  schedule:
    - cron: '17 * * * *'
  workflow_dispatch:
permissions:
  contents: read
  pages: write
  id-token: write
concurrency: deploy
jobs:
  deploy:
    runs-on: ubuntu-latest
    environment: github-pages
    steps:
      - uses: actions/checkout@v5
      - uses: actions/setup-node@v5
        with:
          node-version: 24
          cache: npm
      - uses: actions/cache@v4
        with:
          path: .sortiment
          key: sortiment-\${{ github.run_id }}
          restore-keys: sortiment-
      - run: npm ci
      - run: ${BUILD_COMMAND}
        env:
          PRODUCT_API_URL: \${{ vars.PRODUCT_API_URL }}
          PRODUCT_API_TOKEN: \${{ secrets.PRODUCT_API_TOKEN }}
          PUBLISHING_URL: \${{ vars.PUBLISHING_URL }}
          SITE_URL: \${{ vars.SITE_URL }}
      - uses: actions/upload-pages-artifact@v4
        with:
          path: dist
      - uses: actions/deploy-pages@v4
`;
