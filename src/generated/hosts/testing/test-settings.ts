import { defineConfig, resolveSettings, type OptionsInput, type Settings } from '#config/index.ts';

/** Resolves the settings of a test site with these options. */
export function resolveTestSettings(choices: Partial<OptionsInput> = {}, root = '/srv/katalog'): Settings {
  const options = defineConfig({
    site: { name: 'Haldenwerk', url: 'https://katalog.example' },
    maker: { name: 'Haldenwerk GmbH', address: ['Am Prüfstand 1'], email: 'info@haldenwerk.example' },
    mainLanguage: 'de-de',
    ...choices,
  });
  return resolveSettings(root, options, {});
}
