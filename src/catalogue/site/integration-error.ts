import { SortimentError } from '#contracts/index.ts';

export function createIntegrationError(): SortimentError {
  return new SortimentError('INTEGRATION_MISSING', 'The integration `sortiment` is missing.', {
    hint: 'Add `sortiment(options, import.meta.dirname)` to `integrations` in astro.config.mjs.',
  });
}
