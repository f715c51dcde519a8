import { eq, inArray } from 'drizzle-orm';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { replaceSiteUrl, SITE_OPTION } from '#origin/platform/site/load-site.ts';
import { retryTransaction } from '#origin/platform/store/query-errors.ts';
import { option } from '#origin/platform/store/schema.ts';
import { PODCAST_OPTION } from './podcast-record.ts';
import { podcastEpisode, podcastShow } from './tables.ts';

/** Option with the site address of the previous start. */
const OPTION = 'podcast-address';

/** Private-use character, which stored texts don't contain. */
const MARKER = '\uE000';

/**
 * Rewrites stored addresses of the site in chapters, covers and images if the site has moved since the previous start.
 */
export async function rewriteSiteAddresses({ store, publicUrl }: OriginContext): Promise<void> {
  await retryTransaction(store.db, async (tx) => {
    const stored = await tx
      .select()
      .from(option)
      .where(inArray(option.name, [SITE_OPTION, OPTION]));
    const addresses = stored.map(({ value }) => (value as { url?: string }).url ?? '');
    const former = [...new Set(addresses)].filter((address) => address !== '' && address !== publicUrl);
    if (former.length === 0) return;
    // Longest first: an address can be a prefix of another.
    const addressesToReplace = [publicUrl, ...former].toSorted((one, other) => other.length - one.length);
    const relocated = <T>(value: T): T => {
      const marked = addressesToReplace.reduce(
        (text, from) => replaceSiteUrl(text, from, MARKER),
        JSON.stringify(value),
      );
      return JSON.parse(marked.replaceAll(MARKER, publicUrl)) as T;
    };

    const [record] = await tx.select().from(option).where(eq(option.name, PODCAST_OPTION)).for('update');
    if (record && differs(record.value, relocated(record.value)))
      await tx
        .update(option)
        .set({ value: relocated(record.value) })
        .where(eq(option.name, PODCAST_OPTION));
    for (const { id, image } of await tx.select().from(podcastShow))
      if (differs(image, relocated(image)))
        await tx
          .update(podcastShow)
          .set({ image: relocated(image) })
          .where(eq(podcastShow.id, id));
    const { id: episodeId, poster, chapters } = podcastEpisode;
    for (const { id, ...before } of await tx.select({ id: episodeId, poster, chapters }).from(podcastEpisode))
      if (differs(before, relocated(before)))
        await tx.update(podcastEpisode).set(relocated(before)).where(eq(podcastEpisode.id, id));

    const value = { url: publicUrl };
    await tx.insert(option).values({ name: OPTION, value }).onConflictDoUpdate({ target: option.name, set: { value } });
  });
}

function differs(before: unknown, after: unknown): boolean {
  return JSON.stringify(before) !== JSON.stringify(after);
}
