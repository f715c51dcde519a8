import { SortimentError } from '#contracts/index.ts';

export function integrationMissing(): SortimentError {
  return new SortimentError('INTEGRATION_MISSING', 'Pages are rendered without the integration `sortiment`.', {
    hint: 'Put `sortiment(options, import.meta.dirname)` into `integrations` of astro.config.mjs.',
  });
}
