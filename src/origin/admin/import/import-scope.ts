import type { ImportSource } from '#contracts/import.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { Memo } from '#origin/platform/context/memo.ts';
import { loadSite, type Site } from '#origin/platform/site/index.ts';

/** What writing a copied record takes. */
export interface ImportScope {
  context: OriginContext;
  source: ImportSource;
  site: Site;
  /** The address that texts are stored with. */
  home: string;
}

export async function openScope(context: OriginContext, source: ImportSource): Promise<ImportScope> {
  const site = await loadSite({ context, requestMemo: new Memo() });
  return { context, source, site, home: site.url ?? context.publicUrl };
}
