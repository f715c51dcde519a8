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

/** Pages that every family may have. Other pages depend on its products. */
const PAGES = [familyPath, filterPath, comparePath, calculatorPath, familyDownloadsPath];

/** Lists redirects of renamed or removed families to the family that has their products. */
export function* movedFamilies(
  { snapshot, languages }: Pick<LoaderSource, 'snapshot' | 'languages'>,
  isPage: (pathname: string) => boolean,
): Generator<Redirect> {
  // A family without current products in a language has no page there.
  const current = snapshot.families().map(({ id }) => [id, undefined] as const);
  for (const [family, now] of new Map([...current, ...snapshot.pastFamilies()])) {
    for (const language of languages) {
      for (const pathOf of PAGES) {
        const targets = now === undefined ? [] : [pathOf(language, now), familyPath(language, now)];
        const to = [...targets, productsPath(language)].find(isPage);
        if (to !== undefined) yield { from: pathOf(language, family), to };
      }
    }
  }
}
