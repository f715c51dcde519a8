import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { ProductRefusal } from './product-refusal.ts';

/**
 * What a language that isn't there gets, by the knob `unknownLanguage`: a refusal, or undefined if the main
 * language is to stand in for it.
 *
 * @param query The refusal repeats the language as it was sent.
 */
export function refuseLanguage(context: OriginContext, query: URLSearchParams): ProductRefusal | undefined {
  const input = query.getAll('language').at(-1) ?? '';
  switch (context.product.unknownLanguage) {
    case 'error':
      return new ProductRefusal('invalidChoice', { parameter: 'language', values: { input } });
    case 'not-found':
      return new ProductRefusal('noSuchProduct');
    case 'fallback':
      return undefined;
  }
}
