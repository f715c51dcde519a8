import {
  exportSite,
  getEditorAssets,
  getEditorSettings,
  getNavigationFallback,
  getUrlDetails,
} from '#contracts/block-editor.ts';
import { CONTENT_KINDS } from '#origin/platform/registry/content-kind.ts';
import { allowedMethods } from '#origin/platform/content/link-row.ts';
import { guardedFetch } from '#origin/platform/guarded-fetch/index.ts';
import { can } from '#origin/platform/http/callers/index.ts';
import type { Right } from '#origin/platform/registry/rights.ts';
import { item, type AnyCall, type RouteRegistry } from '#origin/platform/http/transport/index.ts';
import type { NamespaceModule } from '#origin/platform/namespace/namespace-module.ts';
import { asZip } from './as-zip.ts';
import { editorSettings } from './editor-settings.ts';
import { exportFiles } from './export-files.ts';
import { ensureFallbackMenu } from './ensure-fallback-menu.ts';
import { readUrlDetails } from './read-url-details.ts';

function serveBlockEditor(registry: RouteRegistry): void {
  registry.serve(getUrlDetails, async (call) => item(await readUrlDetails(call, call.query.url, guardedFetch)), {
    permit: only('edit_posts', 'rest_cannot_view_url_details'),
  });
  registry.serve(exportSite, async (call) => item(await exportFiles(call)), {
    permit: only('export', 'rest_cannot_export_templates'),
  });
  registry.serve(
    getNavigationFallback,
    async (call) => {
      const menu = await ensureFallbackMenu(call);
      const allow = allowedMethods(menu, { call, kind: CONTENT_KINDS.wp_navigation, parentOf: () => undefined });
      const href = call.addresses.rest(`${CONTENT_KINDS.wp_navigation.base}/${menu.id}`);
      return item({ id: menu.id, _links: { self: [{ embeddable: true, href, targetHints: { allow } }] } });
    },
    { permit: only('edit_theme_options', 'rest_cannot_create') },
  );
  registry.serve(getEditorSettings, async (call) => item(await editorSettings(call)), {
    permit: only('edit_posts', 'rest_cannot_read_block_editor_settings'),
  });
  // Content is shown as it is: the origin has no theme whose styles an editor would load.
  registry.serve(getEditorAssets, () => item({ styles: '', scripts: '' }), {
    permit: only('edit_posts', 'rest_cannot_read_block_editor_assets'),
  });
}

function only<Code extends string>(right: Right, code: Code): (call: AnyCall<Code>) => void {
  return ({ caller, refuse }) => {
    if (!can(caller, right)) throw refuse(code, 'You may not do this.');
  };
}

/** The `block-editor/v1` namespace. */
export const blockEditor: NamespaceModule = {
  name: 'block-editor',
  description: 'What the block editor asks of a site before it opens.',
  namespaces: ['block-editor/v1'],
  serve: serveBlockEditor,
  forms: {
    [exportSite.path]: (response, { url }) => (new URL(url).searchParams.has('_envelope') ? response : asZip(response)),
  },
};
