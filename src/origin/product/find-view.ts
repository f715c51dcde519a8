import type { ProductView } from './product-view.ts';

export interface FoundView {
  view: ProductView;
  params: Record<string, string>;
}

/** What a capture of a route's path matches. Any 13 digits are a product's address; a wrong check digit is an unknown product. */
const CAPTURES: Readonly<Record<string, string>> = { gtin: '\\d{13}' };

/**
 * The view of a path below the interface's root, exactly: letter case, slashes and the number of digits count.
 *
 * @param path Still percent-encoded.
 */
export function findView(views: readonly ProductView[], path: string): FoundView | undefined {
  const plain = decode(path);
  for (const view of views) {
    const match = plain === undefined ? null : patternOf(view.route.path).exec(plain);
    if (match) return { view, params: { ...match.groups } };
  }
  return undefined;
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/<(\w+)>/g, (_, name: string) => `(?<${name}>${CAPTURES[name] ?? '[^/]+'})`)}$`);
}

function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
