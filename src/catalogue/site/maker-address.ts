import { toBcp47 } from '#contracts/product/index.ts';

interface Addressed {
  address: readonly string[];
  /** ISO 3166-1. */
  country?: string | undefined;
}

/** The lines of an address, the country in the language of the page. */
export function makerAddress({ address, country }: Addressed, language: string): string[] {
  const name = country && new Intl.DisplayNames(toBcp47(language), { type: 'region' }).of(country);
  return [...address, ...(name ? [name] : [])];
}
