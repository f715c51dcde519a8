import { listLanguages } from '#contracts/product/index.ts';
import { findLanguages } from './find-languages.ts';
import type { ProductView } from './product-view.ts';
import { JSON_RENDERER, PAGE_RENDERER } from './renderers.ts';

/** The languages, by their position; the first is the main one. */
export const languageListView: ProductView = {
  route: listLanguages,
  name: 'Language List',
  renderers: [JSON_RENDERER, PAGE_RENDERER],
  read: findLanguages,
};
