import elements from './elements.json' with { type: 'json' };

/** Treatment of an element in HTML of an upstream. */
export type ElementRule =
  /** Preserved, with these attributes and the general ones. */
  | { fate: 'kept'; attributes: readonly string[] }
  /** Replaced by another element or by its content; `by` describes the replacement in the documentation. */
  | { fate: 'changed'; by: string }
  /** Removed with its content. */
  | { fate: 'dropped' };

/** Attributes with a space-separated list of ids in the same text. */
export const ID_LISTS = ['aria-describedby', 'aria-details', 'aria-labelledby', 'headers'] as const;

/** Attributes allowed on every preserved element. */
export const GENERAL_ATTRIBUTES = [
  ...(['id', 'lang', 'dir', 'title', 'hidden', 'translate'] as const),
  ...(['aria-describedby', 'aria-details', 'aria-labelledby'] as const),
];

/** Attributes with a URL. */
export const URL_ATTRIBUTES = ['href', 'src', 'cite', 'poster'] as const;

const split = (words: string): string[] => words.split(' ').filter((word) => word !== '');

/** Elements of MathML Core, without those that contain HTML or URLs. */
export const MATH_TAGS = split(elements.math);

/** Element -> its replacement. */
export const REPLACEMENTS: Readonly<Record<string, string>> = elements.replacements;

const rules = (names: readonly string[], rule: (name: string) => ElementRule): [string, ElementRule][] =>
  names.map((name) => [name, rule(name)]);
const attributesOf: Readonly<Record<string, string>> = elements.kept;
const described: Readonly<Record<string, string>> = elements.described;

/**
 * All elements of the HTML standard, including obsolete ones. Dropped elements have no readable content, or can't be
 * shown safely. Unknown elements are replaced by their content.
 */
export const ELEMENTS: Readonly<Record<string, ElementRule>> = Object.fromEntries([
  ...rules(Object.keys(attributesOf), (name) => ({ fate: 'kept', attributes: split(attributesOf[name] ?? '') })),
  ...rules(Object.keys(REPLACEMENTS), (name) => ({ fate: 'changed', by: `\`${REPLACEMENTS[name]}\`` })),
  ...rules(Object.keys(described), (name) => ({ fate: 'changed', by: described[name] ?? '' })),
  ...rules(split(elements.unwrapped), () => ({ fate: 'changed', by: 'its content' })),
  ...rules(split(elements.dropped), () => ({ fate: 'dropped' })),
]);

/** Elements without content. */
export const VOID_TAGS: ReadonlySet<string> = new Set(split(elements.void));

/** Inline elements: a word may continue after their end. */
export const INLINE_TAGS: ReadonlySet<string> = new Set(split(elements.inline));
