import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asc } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { temporaryFolder } from '#origin/platform/store/testing/temporary-folder.ts';
import { findUserByPassword, findApplicationPassword } from '#origin/platform/accounts/users.ts';
import { applyModuleMigrations } from '#origin/platform/store/apply-migrations.ts';
import {
  applicationPassword,
  content,
  contentTerm,
  option,
  product,
  productLanguage,
  term,
  user,
} from '#origin/platform/store/schema.ts';
import {
  podcastAsset,
  podcastEpisode,
  podcastFeed,
  podcastMediaFile,
  podcastShow,
} from '#origin/namespaces/podcast/tables.ts';
import { registerAll } from '#origin/platform/registry/content-kind.ts';
import { MODULES } from '#origin/server/modules.ts';
import { createTestContext, type TestContext } from '#origin/testing/test-context.ts';
import { seedOrigin } from './seed-origin.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const SITE = { name: 'Signal & Noise', description: 'Announcements', timezone: 'Europe/Berlin' };
const ADMIN = { login: 'admin', email: 'admin@example.test', name: 'Admin', role: 'administrator' };
const PASSWORD = 'login-8c6976e5b5410415';
const APPLICATION_PASSWORD = '8c69 76e5 b541 0415 bde9 08bd';

function writeBootstrap(value: unknown): string {
  const path = join(temporaryFolder(), 'bootstrap.json');
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
  return path;
}

const DEMO = { demo: true };

async function newContext(): Promise<TestContext> {
  const context = await createTestContext({ filesFolder: temporaryFolder(), ...registerAll(MODULES) });
  await applyModuleMigrations(context.store, MODULES);
  return context;
}

/** All rows of a store, without random values. */
async function dump({ store }: TestContext) {
  return {
    options: await store.db.select().from(option).orderBy(asc(option.name)),
    users: await store.db.select().from(user).orderBy(asc(user.id)),
    languages: await store.db.select().from(productLanguage).orderBy(asc(productLanguage.position)),
    products: await store.db.select().from(product).orderBy(asc(product.gtin), asc(product.language)),
    terms: await store.db.select().from(term).orderBy(asc(term.id)),
    content: await store.db.select().from(content).orderBy(asc(content.id)),
    assigned: await store.db.select().from(contentTerm).orderBy(asc(contentTerm.contentId), asc(contentTerm.termId)),
  };
}

async function dumpPodcast({ store }: TestContext) {
  return {
    shows: await store.db.select().from(podcastShow).orderBy(asc(podcastShow.id)),
    episodes: await store.db.select().from(podcastEpisode).orderBy(asc(podcastEpisode.id)),
    assets: await store.db.select().from(podcastAsset).orderBy(asc(podcastAsset.id)),
    files: await store.db.select().from(podcastMediaFile).orderBy(asc(podcastMediaFile.id)),
    feeds: await store.db.select().from(podcastFeed),
  };
}

describe('bootstrap', () => {
  let context: TestContext;
  beforeAll(async () => void (context = await createTestContext()));
  afterAll(() => context.store.close());

  test.each([
    ['{', /is not JSON/],
    [{ site: { ...SITE, timezone: 'Berlin' }, users: [] }, /site\.timezone is not a time zone/],
    [
      { site: SITE, users: [{ ...ADMIN, email: 'admin', role: 'boss', applicationPassword: 'short', extra: 1 }] },
      /users\[0\]\.email is not an e-mail address[^]*users\[0\]\.role must be one of[^]*applicationPassword is not 24[^]*extra/,
    ],
    [
      { site: SITE, users: [{ ...ADMIN, url: 'home', locale: 'xx', nickname: '', applicationPasswordName: 1 }] },
      /users\[0\]\.url is not an http\(s\) URL[^]*nickname must be at least[^]*locale must be one of[^]*applicationPasswordName is not/,
    ],
  ])('a wrong file is refused with all that is wrong: %j', async (value, message) => {
    const seeding = seedOrigin(context, { bootstrap: writeBootstrap(value) });
    await expect(seeding).rejects.toMatchObject({ code: 'BOOTSTRAP_INVALID', message: expect.stringMatching(message) });
    await expect(seedOrigin(context, { bootstrap: '/nowhere.json' })).rejects.toThrow('/nowhere.json can not be read');
    expect(await context.store.db.select().from(option)).toEqual([]);
  });

  test('users that can’t be created leave nothing behind', async () => {
    const twice = [ADMIN, { ...ADMIN, email: 'other@example.test' }];
    const seeding = seedOrigin(context, { bootstrap: writeBootstrap({ site: SITE, users: twice }) });
    await expect(seeding).rejects.toMatchObject({ code: 'LOGIN_TAKEN' });
    expect(await dump(context)).toMatchObject({ options: [], users: [], terms: [] });
  });

  test("users have the values of the file; the first administrator's home page is the site", async () => {
    const other = await createTestContext();
    const profile = {
      url: 'https://example.org/',
      firstName: 'Ann',
      lastName: 'Other',
      nickname: 'annie',
      locale: 'en_US',
      description: 'Knows roofs',
    };
    const users = [
      { ...ADMIN, login: 'ann', email: 'ann@example.test', role: 'author', ...profile },
      { ...ADMIN, applicationPassword: APPLICATION_PASSWORD, applicationPasswordName: 'Rollout' },
      { ...ADMIN, login: 'second', email: 'second@example.test' },
    ];
    await seedOrigin(other, { bootstrap: writeBootstrap({ site: SITE, users }) });
    const { users: stored } = await dump(other);
    expect(stored[0]).toMatchObject(profile);
    expect(stored.map(({ url }) => url)).toEqual(['https://example.org/', 'http://origin.test', '']);
    expect(await other.store.db.select().from(applicationPassword)).toMatchObject([{ name: 'Rollout' }]);
    await other.store.close();
  });

  test('creates settings, a default category, and users with both passwords; a second start changes nothing', async () => {
    const users = [{ ...ADMIN, password: PASSWORD, applicationPassword: APPLICATION_PASSWORD }];
    await seedOrigin(context, { bootstrap: writeBootstrap({ site: SITE, users }) });
    const before = await dump(context);
    expect(before).toMatchObject({
      options: [{ name: 'seed' }, { name: 'site', value: { ...SITE, url: 'http://origin.test', default_category: 1 } }],
      users: [{ id: 1, login: 'admin', role: 'administrator', passwordHash: expect.stringContaining('$argon2id$') }],
      terms: [{ id: 1, taxonomy: 'category', slug: 'uncategorized' }],
      content: [],
    });
    expect((await findUserByPassword(context, 'admin', PASSWORD))?.id).toBe(1);
    const [stored] = await context.store.db.select().from(applicationPassword);
    expect(stored?.hash).not.toContain('8c69');
    expect(await findApplicationPassword(context, 'admin', APPLICATION_PASSWORD)).toBeDefined();

    await seedOrigin(context, { bootstrap: '/nowhere.json', ...DEMO });
    expect(await dump(context)).toEqual(before);
  });
});

describe('demo', () => {
  let context: TestContext;
  let other: TestContext;
  let seeded: Awaited<ReturnType<typeof dump>>;
  beforeAll(async () => {
    [context, other] = await Promise.all([newContext(), newContext()]);
    await seedOrigin(context, { ...DEMO });
    seeded = await dump(context);
  });
  afterAll(() => Promise.all([context.store.close(), other.store.close()]));

  test('everything exists exactly once', () => {
    const ofType = (type: string) => seeded.content.filter((row) => row.type === type);
    expect(seeded.languages.map(({ code }) => code)).toEqual(['de-de', 'en-gb', 'fr-fr']);
    expect(seeded.products).toHaveLength(72);
    expect(
      [ofType('attachment'), ofType('page'), ofType('post'), ofType('podcast')].map(({ length }) => length),
    ).toEqual([30, 18, 36, 12]);
    expect(new Set(seeded.content.map(({ slug }) => slug)).size).toBe(96);
  });

  test('the podcast has a show in each language, with episodes whose files exist in their declared sizes', async () => {
    const { shows, episodes, assets, files, feeds } = await dumpPodcast(context);
    expect(shows.map(({ slug, language }) => [slug, language])).toEqual([
      ['de-de', 'de-DE'],
      ['en-gb', 'en-GB'],
      ['fr-fr', 'fr-FR'],
    ]);
    expect(seeded.options.find(({ name }) => name === 'podcast')?.value).toMatchObject({
      guid: shows[0]?.guid,
      title: shows[0]?.title,
    });
    expect(feeds).toMatchObject([{ slug: 'mp3' }]);
    expect(episodes).toHaveLength(12);
    const pages = new Map(seeded.content.map((row) => [row.id, row]));
    const tags = new Map(seeded.terms.map(({ id, slug }) => [id, slug]));
    for (const episode of episodes) {
      expect(pages.get(episode.contentId)).toMatchObject({ type: 'podcast', slug: episode.slug, title: episode.title });
      expect(episode.chapters[0]).toMatchObject({ startMs: 0 });
      const [tag] = seeded.assigned.filter(({ contentId }) => contentId === episode.contentId);
      expect(tags.get(tag?.termId ?? 0)).toMatch(/^translation-/);
      const own = files.filter(({ episodeId }) => episodeId === episode.id);
      expect(own.map(({ assetId }) => assets.find(({ id }) => id === assetId)?.fileType).toSorted()).toEqual([
        'mp3',
        'opus',
        'vtt',
      ]);
      for (const { assetId, size } of own) {
        const extension = assets.find(({ id }) => id === assetId)?.fileType;
        expect(size).toBe(statSync(join(context.filesFolder, `uploads/podcast/${episode.slug}.${extension}`)).size);
      }
      expect(existsSync(join(context.filesFolder, new URL(episode.poster ?? '').pathname))).toBe(true);
    }
    const hrefs = episodes.flatMap(({ chapters }) => chapters.flatMap(({ href }) => href ?? []));
    expect(hrefs).toContain('http://origin.test/01/9524010000214');
  });

  test('a store with the demo of an earlier version opens unchanged, without the folder of the demo', async () => {
    const earlier = await newContext();
    const { db } = earlier.store;
    await db.insert(option).values({ name: 'seed', value: { bootstrap: false, demo: true } });
    const before = await dump(earlier);
    await seedOrigin(earlier, { ...DEMO, demoFolder: '/nowhere' });
    expect(await dump(earlier)).toEqual(before);
    await earlier.store.close();
  });

  test('every reference resolves', () => {
    const ids = new Set(seeded.content.map(({ id }) => id));
    const terms = new Map(seeded.terms.map((row) => [row.id, row]));
    const users = new Set(seeded.users.map(({ id }) => id));
    for (const row of seeded.content) {
      expect(users.has(row.authorId), row.slug).toBe(true);
      if (row.parentId > 0) expect(ids.has(row.parentId), row.slug).toBe(true);
      if (row.featuredMedia > 0) expect(ids.has(row.featuredMedia), row.slug).toBe(true);
      expect(row.content).not.toMatch(/\{(site|media)/);
    }
    for (const { termId } of seeded.assigned) expect(terms.has(termId)).toBe(true);
    for (const row of seeded.terms)
      expect(row.parentId === 0 || terms.get(row.parentId)?.taxonomy === 'category').toBe(true);
    expect(seeded.content.filter((row) => row.type === 'page' && row.parentId > 0).length).toBeGreaterThan(0);
    expect(seeded.content.filter((row) => row.type === 'post').every((row) => row.featuredMedia > 0)).toBe(true);
  });

  test('media files exist at their recorded paths and in their recorded sizes', async () => {
    const uploads = join(context.filesFolder, 'uploads');
    const month = readdirSync(join(uploads, '2026', '01'));
    for (const { file, mediaDetails } of seeded.content.filter((row) => row.type === 'attachment')) {
      const { width, height } = await sharp(join(uploads, file)).metadata();
      expect(mediaDetails).toMatchObject({ width, height, filesize: expect.any(Number) });
      const sizes = Object.entries(
        mediaDetails['sizes'] as Record<string, { file: string; width: number; height: number }>,
      );
      expect(sizes.map(([name]) => name)).toContain('thumbnail');
      for (const [, size] of sizes) {
        expect(size.file).toMatch(new RegExp(`-${size.width}x${size.height}\\.jpg$`));
        expect(month).toContain(size.file);
      }
    }
  });

  test('an interrupted seed leaves nothing, and the next one is identical', async () => {
    const { db } = other.store;
    const stopped = new Proxy(db, {
      get: (target, name) =>
        name === 'transaction'
          ? (run: (tx: unknown) => Promise<void>) =>
              target.transaction(async (tx) => {
                await run(tx);
                throw new Error('stopped');
              })
          : Reflect.get(target, name, target),
    });
    const failing = seedOrigin({ ...other, store: { ...other.store, db: stopped } }, { ...DEMO });
    await expect(failing).rejects.toThrow('stopped');
    expect(await dump(other)).toMatchObject({ options: [], users: [], products: [], terms: [], content: [] });

    await seedOrigin(other, { ...DEMO });
    expect(await dump(other)).toEqual(seeded);
  });

  test('rows that come later get numbers of their own', async () => {
    const [row] = await context.store.db
      .insert(term)
      .values({ taxonomy: 'post_tag', name: 'Neu', slug: 'neu' })
      .returning();
    expect(row?.id).toBe(seeded.terms.length + 1);
  });
});

test('adds no demo to a store that was filled before its first start', async () => {
  const context = await createTestContext();
  await context.store.db.insert(productLanguage).values({ code: 'nl-nl', name: 'Nederlands', position: 0 });
  await seedOrigin(context, { ...DEMO });
  const { languages, products, users, content: rows } = await dump(context);
  expect([languages.map(({ code }) => code), products, users, rows]).toEqual([['nl-nl'], [], [], []]);
  await context.store.close();
});
