import { byLanguage } from '#catalogue/languages/label-languages.ts';
import type { DirectoryPage } from '#catalogue/port/directory.ts';
import type { DiscontinuedProduct, ListedNorm, ListedGroup } from '#catalogue/port/listed-rows.ts';

/** By language: reads when it is asked for first, and gives the same ever after. */
type Keep<T> = (read: (language: string) => T) => (language: string) => T;

/** What is read of lists as a whole. Most changes leave all of it as it was, and there is much of it. */
export interface CachedLists {
  productGroups: Keep<ListedGroup[]>;
  norms: Keep<ListedNorm[]>;
  discontinued: Keep<DiscontinuedProduct[]>;
  directoryPages: Keep<DirectoryPage[]>;
  counts: Keep<number>;
  documentCounts: Keep<number>;
}

export function keepLists(): CachedLists {
  return {
    productGroups: keepByLanguage(),
    norms: keepByLanguage(),
    discontinued: keepByLanguage(),
    directoryPages: keepByLanguage(),
    counts: keepByLanguage(),
    documentCounts: keepByLanguage(),
  };
}

function keepByLanguage<T>(): Keep<T> {
  const known = new Map<string, T>();
  return (read) => byLanguage(read, known);
}
