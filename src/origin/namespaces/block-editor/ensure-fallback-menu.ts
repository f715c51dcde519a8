import { and, desc, eq } from 'drizzle-orm';
import { navigationMenuRoutes } from '#contracts/core/index.ts';
import { CONTENT_KINDS, type ContentRow } from '#origin/platform/registry/content-kind.ts';
import { loadSite } from '#origin/platform/site/index.ts';
import { writeContent } from '#origin/platform/content/write-content.ts';
import { addContent } from '#origin/platform/content/writing/create-content.ts';
import { refuser, type AnyCall } from '#origin/platform/http/transport/index.ts';
import { content } from '#origin/platform/store/schema.ts';

const kind = CONTENT_KINDS.wp_navigation;

/** A menu of whatever pages there are. */
const EVERY_PAGE = { title: 'Navigation', content: '<!-- wp:page-list /-->', status: 'publish' } as const;

/** The newest published navigation menu; where there is none, one of all pages is made in the caller's name. */
export async function ensureFallbackMenu(call: AnyCall): Promise<ContentRow> {
  const { context, caller, addresses } = call;
  const site = await loadSite(call);
  // Written as if the caller had sent it; with what is written here there is nothing to refuse.
  const refuse = refuser(navigationMenuRoutes.create.errors, caller);
  const scope = { kind, kinds: context.kinds, caller, site, publicUrl: addresses.site, now: new Date(), refuse };
  return writeContent(context.store.db, async (tx) => {
    const [newest] = await tx
      .select()
      .from(content)
      .where(and(eq(content.type, kind.type), eq(content.status, 'publish')))
      .orderBy(desc(content.date), desc(content.id))
      .limit(1);
    return newest ?? (await addContent(tx, EVERY_PAGE, scope)).row;
  });
}
