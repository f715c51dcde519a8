import { defineCollection } from 'astro:content';
import { glob } from 'astro/loaders';
import { dictionary } from './i18n/index.ts';
import { changeLoader } from './loaders/change-loader.ts';
import { localPageEntry, overlayEntry } from './loaders/entries.ts';
import {
  familyLoader,
  languageLoader,
  mediaLoader,
  overlayLoader,
  pageLoader,
  postLoader,
  productLoader,
  snapshotLoader,
} from './loaders/index.ts';
import options from './sortiment.config.ts';

export const collections = {
  // From the snapshot that a sync has committed.
  products: defineCollection({ loader: productLoader(options) }),
  families: defineCollection({ loader: familyLoader(options) }),
  posts: defineCollection({ loader: postLoader(options) }),
  pages: defineCollection({ loader: pageLoader(options) }),
  media: defineCollection({ loader: mediaLoader(options) }),
  languages: defineCollection({ loader: languageLoader(options) }),
  snapshot: defineCollection({ loader: snapshotLoader(options) }),
  changes: defineCollection({ loader: changeLoader(options) }),

  // Written here.
  overlays: defineCollection({
    loader: overlayLoader(options, glob({ base: './content/products', pattern: '**/*.mdx' })),
    schema: overlayEntry,
  }),
  localPages: defineCollection({
    loader: glob({ base: './content/pages', pattern: '**/*.mdx' }),
    schema: localPageEntry,
  }),
  strings: defineCollection({
    loader: glob({ base: './content/strings', pattern: '*.json' }),
    schema: dictionary,
  }),
};
