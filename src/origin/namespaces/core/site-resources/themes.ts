import { getTheme, listThemes, theme as themeResource } from '#contracts/core/editor.ts';
import { postFormat } from '#contracts/core/post.ts';
import { fillPath } from '#contracts/index.ts';
import { collection, item, presentFields, requireRight, type AnyCall } from '#origin/platform/http/transport/call.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import { loadSite } from '#origin/platform/site/load-site.ts';

/** Serves the only theme, which is active. */
export function serveThemes(registry: RouteRegistry): void {
  const permit = requireRight('edit_posts', 'rest_cannot_view_themes', 'You are not allowed to view themes.');
  const serve = registry.with({ permit });
  serve(listThemes, async (call) => {
    const { status = [] } = call.query;
    const includesActive = status.length === 0 || status.includes('active');
    const rows = includesActive ? [presentTheme(call, (await loadSite(call)).theme)] : [];
    return collection(rows, rows.length, { page: 1, perPage: 1 });
  });
  serve(getTheme, async (call) => {
    const { theme } = await loadSite(call);
    if (call.params.stylesheet !== theme) throw call.refuse('rest_theme_not_found', 'Theme not found.');
    return item(presentTheme(call, theme));
  });
}

/** Features that the site's pages support. Editors hide the others. */
const SUPPORTS = {
  'align-wide': false,
  'automatic-feed-links': true,
  'block-templates': false,
  'block-template-parts': false,
  'custom-background': false,
  'custom-header': false,
  'custom-logo': false,
  'customize-selective-refresh-widgets': false,
  'dark-editor-style': false,
  'disable-custom-colors': true,
  'disable-custom-font-sizes': true,
  'disable-custom-gradients': true,
  'disable-layout-styles': true,
  'editor-color-palette': false,
  'editor-font-sizes': false,
  'editor-gradient-presets': false,
  'editor-spacing-sizes': false,
  'editor-styles': false,
  formats: ['standard', ...postFormat.options.filter((format) => format !== 'standard').toSorted()],
  html5: ['gallery', 'caption', 'style', 'script'],
  'post-thumbnails': true,
  'responsive-embeds': true,
  'title-tag': true,
  'wp-block-styles': false,
};

export function themeUrl({ addresses }: Pick<AnyCall, 'addresses'>, theme: string): string {
  return addresses.rest(fillPath(getTheme.path, { stylesheet: theme }));
}

function presentTheme(call: AnyCall, theme: string) {
  const text = (raw: string) => ({ raw, rendered: raw });
  return presentFields(
    themeResource,
    {
      stylesheet: theme,
      template: theme,
      name: text(theme),
      description: text('The site is rendered from the REST API, separately from the origin.'),
      is_block_theme: false,
      textdomain: theme,
      version: '1',
      status: 'active' as const,
      theme_supports: SUPPORTS,
      _links: () => ({
        self: [{ href: themeUrl(call, theme) }],
        collection: [{ href: call.addresses.rest(listThemes.path) }],
      }),
    },
    { context: 'view', call },
  );
}
