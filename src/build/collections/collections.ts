import { defineCollection } from 'astro/content/config';
import { glob } from 'astro/loaders';
import { z } from 'zod';
import { localPageEntry, normEntry, productEntry } from '#catalogue/entries/entries.ts';
import { overlayEntry } from '#catalogue/entries/overlay-entry.ts';
import type { FieldValues, Options } from '#config/index.ts';
import { dictionary, stringsLoader } from '#i18n/index.ts';
import { contentLoader, localPageLoader, normLoader, overlayLoader } from './local-loaders.ts';
import { snapshotLoaders } from './snapshot-loaders.ts';

/** Returns all collections of a catalogue, for `collections` in `src/content.config.ts`. */
export function sortimentCollections<Given extends Options>(options: Given) {
  const loaders = snapshotLoaders(options);
  /** Loaded from the latest snapshot. */
  const snapshot = Object.fromEntries(
    Object.entries(loaders).map(([name, loader]) => [name, defineCollection({ loader })]),
  ) as { [Name in keyof typeof loaders]: { loader: (typeof loaders)[Name] } };
  return {
    ...snapshot,
    // Read on demand by `catalogue/site/product-collection.ts`; Astro stores none.
    products: defineCollection({
      loader: () => [],
      schema: productEntry.extend({ fields: z.custom<FieldValues<Given['product']['fields']>>() }),
    }),

    // Authored in the project.
    overlays: defineCollection({
      loader: overlayLoader(options, glob({ base: './content/products', pattern: '**/*.mdx' })),
      schema: overlayEntry,
    }),
    localPages: defineCollection({
      loader: localPageLoader(options, glob({ base: './content/pages', pattern: '**/*.mdx' })),
      schema: localPageEntry,
    }),

    // Files of Sortiment, extended by those of the project.
    norms: defineCollection({ loader: normLoader(contentLoader('content/norms', '.yaml')), schema: normEntry }),
    strings: defineCollection({ loader: stringsLoader(contentLoader('content/strings', '.json')), schema: dictionary }),
  };
}
