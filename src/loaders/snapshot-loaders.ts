import type { Options } from '#config/index.ts';
import { changeLoader } from './change-loader.ts';
import { familyLoader } from './family-loader.ts';
import { languageLoader } from './language-loader.ts';
import { mediaLoader } from './media-loader.ts';
import { pageLoader } from './page-loader.ts';
import { postLoader } from './post-loader.ts';
import { productLoader } from './product-loader.ts';
import { snapshotLoader } from './snapshot-loader.ts';

/** Loaders of the collections that come from the snapshot that a sync has committed, by the collections' names. */
export function snapshotLoaders(options: Options) {
  return {
    products: productLoader(options),
    families: familyLoader(options),
    posts: postLoader(options),
    pages: pageLoader(options),
    media: mediaLoader(options),
    languages: languageLoader(options),
    snapshot: snapshotLoader(options),
    changes: changeLoader(options),
  };
}
