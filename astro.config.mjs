import mdx from '@astrojs/mdx';
import { defineConfig } from 'astro/config';
import { sortiment } from './src/build/sortiment.ts';
import options from './src/sortiment.config.ts';

const catalogue = sortiment(options, import.meta.dirname);

export default defineConfig({
  site: catalogue.site,
  integrations: [catalogue, mdx()],
});
