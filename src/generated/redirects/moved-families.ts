import {
  calculatorPath,
  comparePath,
  familyDownloadsPath,
  familyPath,
  filterPath,
  productsPath,
} from '#catalogue/addresses/paths.ts';
import type { LoaderSource } from '#product-index/with-snapshot.ts';
import type { Redirect } from './redirect.ts';

/** Pages that every family may have: all others are made of what its products declare. */
const PAGES = [familyPath, filterPath, comparePath, calculatorPath, familyDownloadsPath];

/** Families that have another id now, or are no more: their pages lead to those of the family that has their products. */
export function* movedFamilies(
  { snapshot, languages }: Pick<LoaderSource, 'snapshot' | 'languages'>,
  isPage: (pathname: string) => boolean,
): Generator<Redirect> {
  // One that offers nothing in a language any more has no page there.
  const current = snapshot.families().map(({ id }) => [id, undefined] as const);
  for (const [family, now] of new Map([...current, ...snapshot.pastFamilies()])) {
    for (const language of languages) {
      for (const pathOf of PAGES) {
        const ways = now === undefined ? [] : [pathOf(language, now), familyPath(language, now)];
        const to = [...ways, productsPath(language)].find(isPage);
        if (to !== undefined) yield { from: pathOf(language, family), to };
      }
    }
  }
}
