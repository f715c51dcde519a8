import { defineCollection } from 'astro:content';
import { glob } from 'astro/loaders';
import { dictionary, stringsLoader } from '#i18n/index.ts';
import { localPageEntry, normEntry, productEntry } from '#catalogue/entries/entries.ts';
import { overlayEntry } from '#catalogue/entries/overlay-entry.ts';
import { localPageLoader, normLoader, overlayLoader } from '#build/collections/local-loaders.ts';
import { snapshotLoaders } from '#build/collections/snapshot-loaders.ts';
import options from './sortiment.config.ts';

const loaders = snapshotLoaders(options);

/** Loaded from the latest snapshot. */
const snapshot = Object.fromEntries(
  Object.entries(loaders).map(([name, loader]) => [name, defineCollection({ loader })]),
) as { [Name in keyof typeof loaders]: { loader: (typeof loaders)[Name] } };

export const collections = {
  ...snapshot,
  // Read on demand by `catalogue/site/product-collection.ts`; Astro stores none.
  products: defineCollection({ loader: () => [], schema: productEntry }),

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
