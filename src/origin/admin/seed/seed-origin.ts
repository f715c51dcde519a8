import { readFile } from 'node:fs/promises';
import { eq } from 'drizzle-orm';
import { z } from 'zod';
import { homePage, LOCALES, role } from '#contracts/core/user-routes.ts';
import { formatProblems, getErrorMessage, parseValue, SortimentError } from '#contracts/index.ts';
import { writeSeoOptions } from '#origin/namespaces/seo/options.ts';
import {
  podcastAsset,
  podcastEpisode,
  podcastFeed,
  podcastMediaFile,
  podcastShow,
} from '#origin/namespaces/podcast/tables.ts';
import { createApplicationPassword } from '#origin/platform/accounts/application-passwords.ts';
import { createUser } from '#origin/platform/accounts/users.ts';
import type { OriginContext } from '#origin/platform/context/origin-context.ts';
import { SITE_OPTION } from '#origin/platform/site/load-site.ts';
import { retryTransaction, sqlState, type Transaction } from '#origin/platform/store/query-errors.ts';
import { comment, content, option, product, productLanguage, term, user } from '#origin/platform/store/schema.ts';
import { alignSequence, seedDemo } from './seed-demo.ts';
import { DEMO_FOLDER, readDemoContent, type DemoContent, copyDemoFiles, type DemoUploads } from './demo-content.ts';

const timezone = z.string().refine(isTimezone, { error: 'is not a time zone such as "Europe/Berlin"' });

const themeName = z.string().regex(/^[\w.-]+$/, { error: 'is not a name of letters, digits, dots and dashes' });

const bootstrap = z.strictObject({
  site: z.strictObject({ name: z.string(), description: z.string(), timezone, theme: themeName.optional() }),
  users: z.array(
    z.strictObject({
      login: z.string().min(1),
      email: z.email({ error: 'is not an e-mail address' }),
      name: z.string().min(1),
      role,
      url: homePage.optional(),
      firstName: z.string().optional(),
      lastName: z.string().optional(),
      /** @default the login */
      nickname: z.string().min(1).optional(),
      locale: z.enum(LOCALES).optional(),
      description: z.string().optional(),
      password: z.string().min(1).optional(),
      applicationPassword: z
        .string()
        .regex(/^([a-z\d] ?){24}$/i, { error: 'is not 24 letters and digits, optionally in groups of four' })
        .optional(),
      applicationPasswordName: z.string().min(1).default('bootstrap'),
      /** @default a random UUID */
      applicationPasswordId: z.guid({ error: 'is not a UUID' }).optional(),
    }),
  ),
});

export interface SeedOptions {
  bootstrap?: string | undefined;
  /** Seeds the demo content if the store is empty. @default false */
  demo?: boolean | undefined;
  /** @default content/demo */
  demoFolder?: string | undefined;
  onDemo?: (() => void) | undefined;
}

/** Row that marks a seeded store, written in the same transaction as everything else. */
const SEED_OPTION = 'seed';
/**
 * Stock servers start with three rows of sample content and a comment. A seeded site omits them but numbers its rows as
 * if they existed, so that IDs in recorded requests match.
 */
const FIRST_OWN_ID = 4;
const FIRST_OWN_COMMENT = 2;
const EXISTS_ALREADY = '23505';

/**
 * Seeds a store on its first start in one transaction, so an interrupted seed is repeated. Later starts ignore the
 * options.
 */
export async function seedOrigin(context: OriginContext, options: SeedOptions): Promise<void> {
  const { demoFolder = DEMO_FOLDER } = options;
  if (await isSeeded(context)) return;
  const plan = options.bootstrap === undefined ? undefined : await readBootstrap(options.bootstrap);
  const startsWithDemo = options.demo && !(await hasData(context));
  if (startsWithDemo) options.onDemo?.();
  const content = startsWithDemo ? await readDemoContent(demoFolder) : undefined;
  const demo = content && { content, uploads: await copyDemoFiles(demoFolder, content, context) };
  try {
    await retryTransaction(context.store.db, (tx) => fill(tx, context, plan, demo));
  } catch (error) {
    // Another process was faster with the same database.
    if (sqlState(error) !== EXISTS_ALREADY || !(await isSeeded(context))) throw error;
  }
}

async function fill(
  tx: Transaction,
  context: OriginContext,
  plan: Bootstrap | undefined,
  demo: { content: DemoContent; uploads: DemoUploads } | undefined,
): Promise<void> {
  const inside: OriginContext = { ...context, store: { ...context.store, db: tx } };
  const seed = { bootstrap: plan !== undefined, demo: demo !== undefined };
  await tx.insert(option).values({ name: SEED_OPTION, value: seed });
  const podcastTables = [podcastAsset, podcastFeed, podcastMediaFile, podcastShow, podcastEpisode];
  if (demo) for (const table of podcastTables) await alignSequence(tx, table);
  for (const table of [user, term]) await alignSequence(tx, table);
  await alignSequence(tx, content, plan && !demo ? FIRST_OWN_ID : 1);
  await alignSequence(tx, comment, plan && !demo ? FIRST_OWN_COMMENT : 1);
  await seedUsers(inside, plan?.users ?? []);
  const defaultCategory = demo
    ? await seedDemo(tx, context, demo.content, demo.uploads)
    : await seedDefaultCategory(tx);
  // A bootstrap file decides this itself.
  if (!plan) await writeSeoOptions(tx, { analyse_on_save: true });
  const site = plan?.site ?? demo?.content.site ?? { name: 'Sortiment', description: '', timezone: 'UTC' };
  const value = { ...site, url: context.publicUrl, default_category: defaultCategory };
  await tx.insert(option).values({ name: SITE_OPTION, value });
}

/** Operator commands may fill a store before its first start; then the demo is not added. */
async function hasData({ store }: OriginContext): Promise<boolean> {
  for (const table of [product, productLanguage, content, user]) if ((await store.db.$count(table)) > 0) return true;
  return false;
}

async function isSeeded({ store }: Pick<OriginContext, 'store'>): Promise<boolean> {
  return (await store.db.$count(option, eq(option.name, SEED_OPTION))) > 0;
}

/** Creates the category of posts without one. */
async function seedDefaultCategory(tx: Transaction): Promise<number> {
  const category = { taxonomy: 'category', name: 'Uncategorized', slug: 'uncategorized' } as const;
  const [created] = await tx.insert(term).values(category).returning({ id: term.id });
  return created?.id ?? 0;
}

/**
 * Creates the users of a bootstrap file with their passwords. The first administrator's home page is the site itself,
 * unless the file sets another one.
 */
async function seedUsers(context: OriginContext, users: Bootstrap['users']): Promise<void> {
  const owner = users.find(({ role }) => role === 'administrator');
  for (const planned of users) {
    const {
      applicationPassword: plain,
      applicationPasswordName: name,
      applicationPasswordId: uuid,
      ...account
    } = planned;
    const url = account.url ?? (planned === owner ? context.publicUrl : undefined);
    const { id } = await createUser(context, { ...account, url });
    if (plain !== undefined) await createApplicationPassword(context, { userId: id, name, plain, uuid });
  }
}

export type Bootstrap = z.output<typeof bootstrap>;

/**
 * Reads and validates a bootstrap file.
 *
 * @throws {SortimentError} BOOTSTRAP_INVALID, listing all problems
 */
async function readBootstrap(path: string): Promise<Bootstrap> {
  const fail = (problem: string, cause?: unknown) =>
    new SortimentError('BOOTSTRAP_INVALID', `The bootstrap file ${path}${problem}`, {
      hint: 'Correct the file, or unset BOOTSTRAP. Nothing was created.',
      cause,
    });
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw fail(' can not be read.', cause);
  });
  let input: unknown;
  try {
    input = JSON.parse(text);
  } catch (cause) {
    throw fail(` is not JSON: ${getErrorMessage(cause)}`, cause);
  }
  const reading = parseValue(bootstrap, input);
  if (reading.ok) return reading.value;
  throw fail(`:\n${formatProblems(reading.problems)}`);
}

function isTimezone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
