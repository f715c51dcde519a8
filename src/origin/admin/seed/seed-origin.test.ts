import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { asc, eq, inArray } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { temporaryFolder } from '#origin/platform/store/testing/temporary-folder.ts';
import { z } from 'zod';
import { createUser, findUserByPassword } from '#origin/platform/accounts/users.ts';
import { findApplicationPassword } from '#origin/platform/accounts/application-passwords.ts';
import { COMMANDS } from '#origin/admin/management/commands.ts';
import { ensureSyncToken } from '#origin/platform/accounts/product-tokens.ts';
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

/** Slugs of the tags that link translations of episodes. */
function translationTags({ content: rows, assigned, terms }: Awaited<ReturnType<typeof dump>>): string[] {
  const pages = new Set(rows.filter(({ type }) => type === 'podcast').map(({ id }) => id));
  const ids = new Set(assigned.filter(({ contentId }) => pages.has(contentId)).map(({ termId }) => termId));
  return terms.filter(({ id }) => ids.has(id)).map(({ slug }) => slug);
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

  test('a store without the podcast gets it once; an existing podcast is left unchanged', async () => {
    const earlier = await newContext();
    const { db } = earlier.store;
    await seedOrigin(earlier, { ...DEMO });
    const forget = async () => {
      const pages = await db.delete(content).where(eq(content.type, 'podcast')).returning({ id: content.id });
      const ids = pages.map(({ id }) => id);
      await db.delete(contentTerm).where(inArray(contentTerm.contentId, ids));
      for (const table of [podcastEpisode, podcastMediaFile, podcastShow, podcastAsset, podcastFeed])
        await db.delete(table);
      await db.delete(term).where(inArray(term.slug, translationTags(seeded)));
      await db.delete(option).where(inArray(option.name, ['podcast', 'player']));
      await db
        .update(option)
        .set({ value: { bootstrap: false, demo: true } })
        .where(eq(option.name, 'seed'));
      rmSync(join(earlier.filesFolder, 'uploads/podcast'), { recursive: true, force: true });
    };
    await forget();
    for (const start of ['first', 'second']) {
      await seedOrigin(earlier, { ...DEMO });
      expect(await dump(earlier), start).toEqual(seeded);
      expect(await dumpPodcast(earlier), start).toEqual(await dumpPodcast(context));
    }
    expect(readdirSync(join(earlier.filesFolder, 'uploads/podcast'))).toContain('minus-five.mp3');
    await forget();
    await db.insert(podcastEpisode).values({ contentId: 4711, guid: 'own' });
    await seedOrigin(earlier, { ...DEMO });
    expect((await dumpPodcast(earlier)).episodes).toMatchObject([{ guid: 'own' }]);
    await earlier.store.close();
  });

  test("a store of an earlier version opens without the demo's files and logs what is missing", async () => {
    const earlier = await newContext();
    await seedOrigin(earlier, { ...DEMO });
    await earlier.store.db
      .update(option)
      .set({ value: { bootstrap: false, demo: true } })
      .where(eq(option.name, 'seed'));
    const before = await dump(earlier);
    earlier.logged.length = 0;
    await seedOrigin(earlier, { ...DEMO, demoFolder: '/nowhere' });
    expect(earlier.logged).toEqual([expect.stringContaining('there is no folder /nowhere')]);
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

  test('files that were lost come back', async () => {
    rmSync(other.filesFolder, { recursive: true });
    await seedOrigin(other, {});
    expect(await dump(other)).toEqual(seeded);
    for (const path of ['media/de-de/dop/dop-hw-0110-de.pdf', 'uploads/2026/01/blower-door-fr-fr-300x200.jpg'])
      expect(existsSync(join(other.filesFolder, path)), path).toBe(true);
  });

  test('rows that come later get numbers of their own', async () => {
    const [row] = await context.store.db
      .insert(term)
      .values({ taxonomy: 'post_tag', name: 'Neu', slug: 'neu' })
      .returning();
    expect(row?.id).toBe(seeded.terms.length + 1);
  });

  test('its removal deletes unchanged, unused rows, lists the others, and touches nothing else', async () => {
    const { db } = context.store;
    const [page, otherPage] = seeded.content.filter(({ type }) => type === 'page');
    const [picture, otherPicture] = seeded.content.filter(({ type }) => type === 'attachment');
    const [author] = seeded.users;
    const [category] = seeded.terms;
    if (!page || !otherPage || !picture || !otherPicture || !author || !category) throw new Error('The demo is empty.');
    const own = await createUser(context, { login: 'anna', email: 'anna@example.org', role: 'administrator' });
    const written = { authorId: own.id, date: '2026-02-01 08:00:00', modified: '2026-02-01 08:00:00' };
    const times = { dateGmt: written.date, modifiedGmt: written.date };
    const text = `<img src="http://origin.test/uploads/${otherPicture.file.replace('.jpg', '-300x200.jpg')}">`;
    const [post] = await db
      .insert(content)
      .values({ ...written, ...times, type: 'post', status: 'publish', slug: 'own', content: text })
      .returning();
    await db.insert(contentTerm).values({ contentId: post?.id ?? 0, termId: category.id });
    await db
      .update(content)
      .set({ featuredMedia: picture.id })
      .where(eq(content.id, post?.id ?? 0));
    await db.update(content).set({ title: 'Ours', modified: written.date }).where(eq(content.id, page.id));
    await COMMANDS['product set'](context, { gtin: '9524010000016', language: 'de-de', changes: ['price=1'] });
    await COMMANDS['language add'](context, { code: 'nl-nl' });

    const { kept, removed } = await COMMANDS['demo remove'](context, {});
    const left = await dump(context);
    expect(removed).toMatchObject({ products: 71 });
    expect(left.products.map(({ gtin, language }) => `${gtin} ${language}`)).toEqual(['9524010000016 de-de']);
    expect(left.languages.map(({ code }) => code)).toEqual(['de-de', 'nl-nl']);
    const stays = [page.id, picture.id, otherPicture.id, post?.id];
    expect(left.content.map(({ id }) => id)).toEqual(expect.arrayContaining(stays));
    expect(left.terms.map(({ slug }) => slug)).toEqual(expect.arrayContaining([category.slug, 'neu']));
    expect(left.users.map(({ login }) => login)).toContain('anna');
    // Everything left was listed, or belongs to the owner.
    const named = z.array(z.object({ what: z.string(), id: z.string(), why: z.string() })).parse(kept);
    const idsOf = (...what: string[]) => named.filter((row) => what.includes(row.what)).map(({ id }) => id);
    const others = (ids: number[], ...what: string[]) => ids.filter((id) => !idsOf(...what).includes(String(id)));
    expect(
      others(
        left.content.map(({ id }) => id),
        'post',
        'page',
        'attachment',
      ),
    ).toEqual([post?.id]);
    expect(
      left.terms.filter(({ id }) => !idsOf('category', 'tag').includes(String(id))).map(({ slug }) => slug),
    ).toEqual(['neu']);
    expect(left.users.filter(({ login }) => !idsOf('user').includes(login)).map(({ login }) => login)).toEqual([
      'anna',
    ]);
    const uploads = readdirSync(join(context.filesFolder, 'uploads'), { recursive: true, encoding: 'utf8' });
    const pictures = left.content.filter(({ type }) => type === 'attachment').map(({ file }) => file);
    expect(uploads.filter((file) => /-[a-z]{2}-[a-z]{2}\.jpg$/.test(file)).toSorted()).toEqual(pictures.toSorted());
    const files = readdirSync(join(context.filesFolder, 'media'), { recursive: true, withFileTypes: true });
    expect(files.filter((entry) => entry.isFile()).length).toBeLessThan(10);

    // Neither a restart nor a second removal changes anything.
    await seedOrigin(context, { ...DEMO });
    await COMMANDS['demo remove'](context, {});
    expect(await dump(context)).toEqual(left);
  });

  test('an unused demo is removed completely', async () => {
    await ensureSyncToken(other);
    // Earlier versions of the demo had other guids, and other names of pictures.
    const { db } = other.store;
    const media = join(other.filesFolder, 'media');
    await rename(join(media, 'img/hw-10110.webp'), join(media, 'img/hw-10110.png'));
    await rename(join(media, 'de-de/banner/hw-10110.webp'), join(media, 'de-de/banner/hw-10110.jpg'));
    const [podcast] = await db.select().from(option).where(eq(option.name, 'podcast'));
    const value = { ...(podcast?.value as object), guid: 'earlier' };
    await db.update(option).set({ value }).where(eq(option.name, 'podcast'));
    await db.update(podcastShow).set({ guid: 'earlier' });
    const { kept } = await COMMANDS['demo remove'](other, {});
    expect(kept).toEqual([]);
    const left = await dump(other);
    expect(await dumpPodcast(other)).toEqual({ shows: [], episodes: [], assets: [], files: [], feeds: [] });
    expect([left.products, left.languages, left.content, left.users.map(({ login }) => login)]).toEqual([
      [],
      [],
      [],
      ['sync'],
    ]);
    expect(left.terms).toMatchObject([{ slug: 'uncategorized' }]);
    expect(left.options.find(({ name }) => name === 'site')?.value).toMatchObject({
      name: 'Sortiment',
      default_category: left.terms[0]?.id,
    });
    for (const folder of ['media', 'uploads']) {
      const entries = readdirSync(join(other.filesFolder, folder), { recursive: true, withFileTypes: true });
      expect(entries.filter((entry) => entry.isFile()).map(({ name }) => name)).toEqual([]);
    }
    expect(await ensureSyncToken(other)).toMatch(/\S/);
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
