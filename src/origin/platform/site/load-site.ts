import { eq } from 'drizzle-orm';
import { z } from 'zod';
import type { Call } from '#origin/platform/http/transport/index.ts';
import { option } from '#origin/platform/store/schema.ts';

const storedSite = z.object({
  name: z.string().catch(''),
  description: z.string().catch(''),
  /** An IANA name: local times of content are times of this zone. */
  timezone: z.string().refine(isTimeZone).catch('UTC'),
  /** The address the site had when its content was stored: own links in it start with this. */
  url: z.string().optional().catch(undefined),
  /** What its looks are called towards editors. */
  theme: z.string().catch('sortiment'),
  /** The category of posts that were given none. */
  default_category: z.int().catch(0),
  /** Whether users are shown with a picture, found by a hash of their e-mail address at a service elsewhere. */
  avatars: z.boolean().catch(true),
});

function isTimeZone(name: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

export type Site = z.output<typeof storedSite>;

/** The settings of the site, read once a request. */
export function loadSite(call: Pick<Call, 'context' | 'requestMemo'>): Promise<Site> {
  return call.requestMemo.once('site', async () => {
    const [stored] = await call.context.store.db.select().from(option).where(eq(option.name, 'site')).limit(1);
    return storedSite.parse(stored?.value ?? {});
  });
}
