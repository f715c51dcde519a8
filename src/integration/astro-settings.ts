import { CONTENT_POLICY } from '#generated/page-shell.ts';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { HookParameters } from 'astro';
import type { Settings } from '#config/index.ts';
import { bundleRenderer } from '#render/bundle/astro-internals.ts';

type ConfigUpdate = Parameters<HookParameters<'astro:config:setup'>['updateConfig']>[0];

type VitePlugins = NonNullable<NonNullable<ConfigUpdate['vite']>['plugins']>;

/**
 * What a catalogue needs of Astro. No secrets: Astro writes the resolved configuration to its caches.
 * @param languages Codes of the languages that are built.
 * @param build `keepsDist`: what was built before stays, for the bulk prerenderer to leave alone or remove.
 */
export function astroSettings(
  settings: Settings,
  languages: string[],
  { keepsDist, plugins }: { keepsDist: boolean; plugins: VitePlugins },
): ConfigUpdate {
  const { mainLanguage } = settings.options;
  return {
    site: new URL(settings.siteUrl).origin,
    base: settings.base,
    trailingSlash: 'always',
    // Beside the snapshot: one folder to keep between builds, and none shared with another checkout.
    cacheDir: pathToFileURL(path.join(settings.home, 'astro', path.sep)),
    vite: {
      cacheDir: path.join(settings.home, 'vite'),
      // What builds, syncs and the origin keep there is no source. Astro reloads a page that shows an error whenever a
      // watched file changes, and each reading of the snapshot touches files beside it.
      server: { watch: { ignored: [path.join(settings.home, '**')] } },
      define: { SORTIMENT_BASE: JSON.stringify(settings.base) },
      plugins: [bundleRenderer(), ...plugins],
      // Astro's own mark in every MDX entry that is rendered; the bundler warns of it each time.
      build: { rolldownOptions: { checks: { moduleLevelDirective: false } }, emptyOutDir: !keepsDist },
    },
    build: {
      format: 'directory',
      // Astro leaves the hashes of stylesheets that it inlines from MDX out of the policy.
      inlineStylesheets: 'never',
    },
    i18n: {
      locales: languages,
      defaultLocale: languages.includes(mainLanguage) ? mainLanguage : (languages[0] ?? mainLanguage),
      routing: { prefixDefaultLocale: true, redirectToDefaultLocale: false, fallbackType: 'redirect' },
    },
    security: {
      csp: {
        algorithm: 'SHA-256',
        directives: [...CONTENT_POLICY],
      },
    },
  };
}
