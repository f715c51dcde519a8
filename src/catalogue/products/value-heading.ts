import type { ProductEntry } from '#model/entries.ts';

/**
 * What heads the values of a product: they are declared only where each of them has a norm and there is a declaration
 * of performance, which holds no others.
 */
export function valueHeading({
  attributes,
  declaration_of_performance,
}: Pick<ProductEntry, 'attributes' | 'declaration_of_performance'>): 'attribute.declared' | 'attribute.value' {
  const isDeclared = Boolean(declaration_of_performance) && attributes.every(({ norm }) => norm !== '');
  return isDeclared ? 'attribute.declared' : 'attribute.value';
}
