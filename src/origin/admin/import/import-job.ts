import type { ImportSource } from '#contracts/import.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { Memo } from '#origin/platform/context/memo.ts';
import { loadSite, type Site } from '#origin/platform/site/load-site.ts';

/** Context for writing imported records. */
export interface ImportJob {
  context: OriginContext;
  source: ImportSource;
  site: Site;
  /** Base address of links in stored texts. */
  home: string;
}

export async function createImportJob(context: OriginContext, source: ImportSource): Promise<ImportJob> {
  const site = await loadSite({ context, requestMemo: new Memo() });
  return { context, source, site, home: site.url ?? context.publicUrl };
}
