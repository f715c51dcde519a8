import { sortimentCollections } from '#build/collections/collections.ts';
import options from './sortiment.config.ts';

export const collections = sortimentCollections(options);
