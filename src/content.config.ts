import { defineCollection } from 'astro:content';
import { glob } from 'astro/loaders';
import { dictionary, stringsLoader } from '#i18n/index.ts';
import { localPageEntry, normEntry, productEntry } from '#catalogue/entries/entries.ts';
import { overlayEntry } from '#catalogue/entries/overlay-entry.ts';
import { localPageLoader, normLoader, overlayLoader } from '#build/collections/local-loaders.ts';
import { snapshotLoaders } from '#build/collections/snapshot-loaders.ts';
import options from './sortiment.config.ts';

const snapshot = snapshotLoaders(options);

export const collections = {
  // Loaded from the latest snapshot. Products are read on demand by `catalogue/site/product-collection.ts`; Astro
  // stores none.
  products: defineCollection({ loader: () => [], schema: productEntry }),
  families: defineCollection({ loader: snapshot.families }),
  posts: defineCollection({ loader: snapshot.posts }),
  pages: defineCollection({ loader: snapshot.pages }),
  podcasts: defineCollection({ loader: snapshot.podcasts }),
  episodes: defineCollection({ loader: snapshot.episodes }),
  heads: defineCollection({ loader: snapshot.heads }),
  media: defineCollection({ loader: snapshot.media }),
  languages: defineCollection({ loader: snapshot.languages }),
  snapshot: defineCollection({ loader: snapshot.snapshot }),
  changes: defineCollection({ loader: snapshot.changes }),

  // Authored in the project.
  overlays: defineCollection({
    loader: overlayLoader(options, glob({ base: './content/products', pattern: '**/*.mdx' })),
    schema: overlayEntry,
  }),
  localPages: defineCollection({
    loader: localPageLoader(options, glob({ base: './content/pages', pattern: '**/*.mdx' })),
    schema: localPageEntry,
  }),
  norms: defineCollection({
    loader: normLoader(glob({ base: './content/norms', pattern: '*.yaml' })),
    schema: normEntry,
  }),
  strings: defineCollection({
    loader: stringsLoader(glob({ base: './content/strings', pattern: '*.json' })),
    schema: dictionary,
  }),
};
