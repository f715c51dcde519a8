import { z } from 'zod';
import { PLACES, SEASONS, SUBSTRATES, type ProductUses } from '#catalogue/products/uses.ts';
import type { Ui } from '#i18n/index.ts';

const useValue = z.enum([...PLACES, ...SUBSTRATES, ...SEASONS]);

/** Returns the name of a place, substrate or season. */
export function useName(value: string, ui: Ui): string {
  return ui.t(`use.${useValue.parse(value)}`);
}

/** Returns the uses of a product by field. */
export function useLines(uses: ProductUses | undefined, ui: Ui): { name: string; value: string }[] {
  const namesOf = (values: readonly string[]) => values.map((value) => useName(value, ui)).join(', ');
  return (['place', 'substrates', 'primed', 'season'] as const).flatMap((field) =>
    uses?.[field].length ? { name: ui.t(`use.${field}`), value: namesOf(uses[field]) } : [],
  );
}
