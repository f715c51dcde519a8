import { hash } from 'node:crypto';
import { asciiSlug } from '../addresses/ascii-slug.ts';
import { normBase } from '../norms/norm-base.ts';
import { shortSlug } from '../addresses/short-slug.ts';

interface NamedAttribute {
  name: string;
  norm?: string | null | undefined;
}

/**
 * Names the attributes of a record so that the same one is named alike in every language and on every product. Names
 * are translated, and may repeat under other norms; what stays is the base of the norm and the place among the
 * attributes of that norm. With these its name is looked up in the record of the reference, the main language's:
 * `EN 12311-2`, second, -> `en-12311-2-dehnung-laengs-quer`.
 * @param reference Attributes of the same product in the main language, or in the first it has.
 */
export function attributeKeys(attributes: readonly NamedAttribute[], reference: readonly NamedAttribute[]): string[] {
  const references = Map.groupBy(reference, ({ norm }) => normBase(norm ?? ''));
  const places = new Map<string, number>();
  const used = new Map<string, number>();
  return attributes.map((attribute) => {
    const norm = normBase(attribute.norm ?? '');
    const place = places.get(norm) ?? 0;
    places.set(norm, place + 1);
    const { name } = references.get(norm)?.[place] ?? attribute;
    const key = norm === '' ? keyOf(name) : `${keyOf(norm)}-${keyOf(name)}`;
    const times = (used.get(key) ?? 0) + 1;
    used.set(key, times);
    // The same twice, such as along and across: told apart by the order.
    return times === 1 ? key : `${key}-${times}`;
  });
}

/** The same for materials: named by what they are in the reference, as far as both name as many. */
export function materialKeys(
  materials: readonly { value: string }[],
  reference: readonly { value: string }[],
): string[] {
  const named = materials.length === reference.length ? reference : materials;
  return named.map(({ value }) => keyOf(value));
}

/** In letters of an address; what has none of them goes by its digest. */
function keyOf(text: string): string {
  return shortSlug(asciiSlug(text)) || hash('sha1', text, 'hex').slice(0, 10);
}
