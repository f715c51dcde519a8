import { eq, inArray } from 'drizzle-orm';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { relocate, SITE_OPTION } from '#origin/platform/site/index.ts';
import { retryTransaction } from '#origin/platform/store/index.ts';
import { option } from '#origin/platform/store/schema.ts';
import { PODCAST_OPTION } from './record.ts';
import { podcastEpisode, podcastShow } from './tables.ts';

/** The address that the site had when this was looked at last. */
const OPTION = 'podcast-address';

/** Of no text: it is for private use. */
const MARK = '\uE000';

/**
 * Writes addresses of the site anew that stand in chapters, covers and pictures, when the site has moved since it was
 * started last: all who read them get those of today.
 */
export async function followSiteAddress({ store, publicUrl }: OriginContext): Promise<void> {
  await retryTransaction(store.db, async (tx) => {
    const stored = await tx
      .select()
      .from(option)
      .where(inArray(option.name, [SITE_OPTION, OPTION]));
    const addresses = stored.map(({ value }) => (value as { url?: string }).url ?? '');
    const former = [...new Set(addresses)].filter((address) => address !== '' && address !== publicUrl);
    if (former.length === 0) return;
    // One may begin with another.
    const known = [publicUrl, ...former].toSorted((one, other) => other.length - one.length);
    const moved = <T>(value: T): T => {
      const marked = known.reduce((text, from) => relocate(text, from, MARK), JSON.stringify(value));
      return JSON.parse(marked.replaceAll(MARK, publicUrl)) as T;
    };

    const [record] = await tx.select().from(option).where(eq(option.name, PODCAST_OPTION)).for('update');
    if (record && differs(record.value, moved(record.value)))
      await tx
        .update(option)
        .set({ value: moved(record.value) })
        .where(eq(option.name, PODCAST_OPTION));
    for (const { id, image } of await tx.select().from(podcastShow))
      if (differs(image, moved(image)))
        await tx
          .update(podcastShow)
          .set({ image: moved(image) })
          .where(eq(podcastShow.id, id));
    const { id: episodeId, poster, chapters } = podcastEpisode;
    for (const { id, ...before } of await tx.select({ id: episodeId, poster, chapters }).from(podcastEpisode))
      if (differs(before, moved(before)))
        await tx.update(podcastEpisode).set(moved(before)).where(eq(podcastEpisode.id, id));

    const value = { url: publicUrl };
    await tx.insert(option).values({ name: OPTION, value }).onConflictDoUpdate({ target: option.name, set: { value } });
  });
}

function differs(before: unknown, after: unknown): boolean {
  return JSON.stringify(before) !== JSON.stringify(after);
}
