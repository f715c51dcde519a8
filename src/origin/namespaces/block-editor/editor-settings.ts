import type { getEditorSettings } from '#contracts/block-editor.ts';
import type { RouteAnswer } from '#contracts/index.ts';
import { CONTENT_KINDS } from '#origin/platform/registry/content-kind.ts';
import { IMAGE_SIZES } from '#origin/platform/files/file-store.ts';
import { UPLOAD_TYPES } from '#origin/platform/files/upload-types.ts';
import { can } from '#origin/platform/http/callers/index.ts';
import type { AnyCall } from '#origin/platform/http/transport/index.ts';
import { BLOCK_PATTERN_CATEGORIES, BLOCK_PATTERNS } from '#origin/platform/site/block-pattern-set.ts';
import { loadSite } from '#origin/platform/site/index.ts';

const SHOWN_SIZES: Readonly<Record<string, string>> = { thumbnail: 'Thumbnail', medium: 'Medium', large: 'Large' };

/** What an editor has to know: what may be uploaded, in which sizes pictures come, what there is to start from. */
export async function editorSettings(call: AnyCall): Promise<RouteAnswer<typeof getEditorSettings>> {
  const { timezone } = await loadSite(call);
  const shown = IMAGE_SIZES.filter(({ name }) => name in SHOWN_SIZES);
  return {
    alignWide: false,
    allowedBlockTypes: true,
    allowedMimeTypes: Object.fromEntries(Object.entries(UPLOAD_TYPES).map(([type, names]) => [names.join('|'), type])),
    availableTemplates: Object.fromEntries(CONTENT_KINDS.page.templates.map((name) => [name, name])),
    blockCategories: [],
    canUploadMedia: can(call.caller, 'upload_files'),
    codeEditingEnabled: true,
    disableCustomColors: true,
    disableCustomFontSizes: true,
    disableCustomGradients: true,
    enableCustomLineHeight: false,
    imageDimensions: Object.fromEntries(shown.map(({ name, width, height, crop }) => [name, { width, height, crop }])),
    imageSizes: [
      ...shown.map(({ name }) => ({ slug: name, name: SHOWN_SIZES[name] })),
      { slug: 'full', name: 'Full Size' },
    ],
    isRTL: false,
    styles: [],
    supportsTemplateMode: false,
    timezone,
    __experimentalBlockPatterns: BLOCK_PATTERNS,
    __experimentalBlockPatternCategories: BLOCK_PATTERN_CATEGORIES,
  };
}
