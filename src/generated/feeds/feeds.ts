import { fileAt } from '#catalogue/addresses/base.ts';
import { feedFilePath } from '#catalogue/addresses/shop-paths.ts';
import type { FileGenerator } from '../generator.ts';
import { findDeltas } from './find-deltas.ts';
import { updateProducts } from './update-products.ts';
import { writeDeltas } from './write-deltas.ts';
import { indexPlaces, writeIndex } from './write-index.ts';
import { writeSchemas } from './write-schemas.ts';

/** The range for shops, in each language: see the README beside this file. */
export const feeds: FileGenerator = {
  name: 'feeds',
  takesChanges: true,
  update: (context) => {
    const { languages, settings, digest, snapshot, files, remove } = context;
    if (!settings.options.shops.feeds) return;
    writeSchemas(context);
    const deltas = findDeltas(snapshot, digest);
    for (const { code } of languages) {
      const present = files(feedFilePath(code, '').slice(1, -1));
      const places = [
        ...updateProducts(context, code, present),
        ...writeDeltas(context, code, deltas),
        ...indexPlaces(code),
      ];
      const expected = new Set(places.map((place) => fileAt(place)));
      for (const { file } of present) if (!expected.has(file)) remove(file);
      writeIndex(context, code);
    }
  },
};
