import { abilities } from '#origin/namespaces/abilities/serve-abilities.ts';
import { blockEditor } from '#origin/namespaces/block-editor/serve-block-editor.ts';
import { core } from '#origin/namespaces/core/core-module.ts';
import { oembed } from '#origin/namespaces/oembed/serve-oembed.ts';
import { podcast } from '#origin/namespaces/podcast/podcast-module.ts';
import { player } from '#origin/namespaces/podcast/player/serve-player.ts';
import { seo } from '#origin/namespaces/seo/seo-module.ts';
import { siteHealth } from '#origin/namespaces/site-health/serve-site-health.ts';
import { thumbnails } from '#origin/namespaces/thumbnails/thumbnails-module.ts';
import { serveBatch } from '#origin/platform/http/batch/serve-batch.ts';
import type { NamespaceModule } from '#origin/platform/namespace/namespace-module.ts';
import { getProductAbility } from '#origin/product/product-interface.ts';

const batch: NamespaceModule = {
  name: 'batch',
  description: 'Several writes in one request.',
  namespaces: [],
  serve: serveBatch,
};

/** Contribution of products to the publishing interface. */
const products: NamespaceModule = {
  name: 'products',
  description: 'Products are served by the product interface.',
  namespaces: [],
  serve: () => undefined,
  events: { product: 'A product', language: 'A product language' },
  abilities: [getProductAbility],
};

/** All modules of the origin. Add new ones here. */
export const MODULES: readonly NamespaceModule[] = [
  batch,
  oembed(),
  core,
  siteHealth,
  blockEditor,
  abilities,
  podcast,
  player,
  seo,
  thumbnails,
  products,
];
