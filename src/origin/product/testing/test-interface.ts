import { Hono } from 'hono';
import { PRODUCT_ROOT, type ProductRecord } from '#contracts/product/index.ts';
import { accountPages } from '#origin/platform/accounts/account-pages.ts';
import { createProductToken } from '#origin/platform/accounts/product-tokens.ts';
import { createUser } from '#origin/platform/accounts/users.ts';
import { product, productLanguage } from '#origin/platform/store/schema.ts';
import { createTestContext, type TestContext, type TestContextOverrides } from '#origin/testing/test-context.ts';
import { startTestServer, type RawTestResponse, type TestServer } from '#origin/testing/test-server.ts';
import { productInterface } from '../product-interface.ts';

/** Exists in German, French and English. */
export const FULL_GTIN = '9524010000016';
/** Exists in English only. */
export const ENGLISH_GTIN = '9524010000023';

export interface TestInterface {
  context: TestContext;
  server: TestServer;
  token: string;
  /** Sends one request below the interface's root, with the token unless set otherwise. */
  ask(path: string, options?: AskOptions): Promise<RawTestResponse>;
  /** Serves the same store with other product options. */
  turn(knobs: NonNullable<TestContextOverrides['product']>): Promise<TestInterface>;
  close(): Promise<void>;
}

interface AskOptions {
  method?: string;
  headers?: Record<string, string>;
  /** Complete `Authorization` header; `null` sends none. */
  authorization?: string | null;
}

/** Starts the product interface with two products and three languages on loopback. */
export async function startTestInterface(overrides: TestContextOverrides = {}): Promise<TestInterface> {
  const context = await createTestContext(overrides);
  const { id: userId } = await createUser(context, { login: 'shop', email: 'shop@example.org', role: 'author' });
  const { token } = await createProductToken(context, { userId, label: 'Webshop' });
  await context.store.db.insert(productLanguage).values([
    { code: 'en-gb', name: 'English (United Kingdom)', position: 3 },
    { code: 'de-de', name: 'Deutsch (Deutschland)', position: 1 },
    { code: 'fr-fr', name: 'français (France)', position: 2 },
  ]);
  for (const language of ['de-de', 'fr-fr', 'en-gb']) await upsertRecord(context, { gtin: FULL_GTIN, language });
  await upsertRecord(context, { gtin: ENGLISH_GTIN, language: 'en-gb' });
  return serve(context, token, true);
}

/** Upserts a record, as an import would. */
export async function upsertRecord(
  context: TestContext,
  record: Partial<ProductRecord> & { gtin: string; language: string },
  modifiedAt = new Date(),
): Promise<void> {
  const { gtin, language } = record;
  const values = { gtin, language, record: createRecord(record), digest: `${gtin} ${language}`, modifiedAt };
  await context.store.db
    .insert(product)
    .values(values)
    .onConflictDoUpdate({ target: [product.gtin, product.language], set: values });
}

async function serve(context: TestContext, token: string, isOwner: boolean): Promise<TestInterface> {
  const app = new Hono().route(`/${PRODUCT_ROOT.slice(0, -1)}`, productInterface(context));
  const server = await startTestServer(app.route('/admin', accountPages(context)));
  return {
    context,
    server,
    token,
    ask(path, { method = 'GET', headers = {}, authorization = `Token ${token}` } = {}) {
      const all = authorization === null ? headers : { ...headers, authorization };
      return server.ask(path.startsWith('/') ? path : `/${PRODUCT_ROOT}${path}`, { method, headers: all });
    },
    turn: (knobs) => serve({ ...context, product: { ...context.product, ...knobs } }, token, false),
    async close() {
      await server.close();
      if (isOwner) await context.store.close();
    },
  };
}

function createRecord(changes: Partial<ProductRecord> & { gtin: string; language: string }): ProductRecord {
  return {
    name: `Prüf ${changes.language}`,
    abas_id: '(20417,2,0)',
    item_number: 'HW-10110',
    price: 142.5,
    availability: 'available',
    length: 50,
    width: 1.5,
    height: null,
    area: 75,
    joint: null,
    weight: '7.4',
    folded: false,
    trade_unit: 'Rolle',
    packaging_unit: 'Palette',
    packaging_unit_quantity: 20,
    bundle_unit: 'Palette',
    bundle_unit_quantity: 20,
    erp_description: 'Zeile 1\nZeile 2',
    erp_description_short: 'kurz',
    intro: 'Dampfbremse – feuchtevariabel',
    application: '<p>Innen &amp; außen</p>',
    application_short: 'innen',
    advantages: '<ul><li>reißfest</li></ul>',
    substrate: '',
    limiting_factors: '',
    datasheet: `media/${changes.language}/hw-10110.pdf`,
    safety_datasheet: '',
    declaration_of_performance: 'https://media.example.org/dop.pdf',
    image: 'media/hw-10110.png',
    banner: 'media/banner.jpg',
    attributes: [{ name: 'Brandverhalten', norm: 'EN 13501-1', value: 'E' }],
    materials: [{ name: 'Vlies', value: 'PP' }],
    ...changes,
  };
}
