import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { isSortimentError } from '#contracts/index.ts';
import type { Decimal } from '#contracts/product/index.ts';
import {
  defineConfig,
  readEnvironment,
  resolveSettings,
  withBasePath,
  type FieldValues,
  type OptionsInput,
} from './index.ts';

const minimal: OptionsInput = {
  site: { name: 'Haldenwerk' },
  maker: { name: 'Haldenwerk GmbH', address: ['Am Lehmgraben 12'], email: 'kontakt@haldenwerk.example' },
  mainLanguage: 'de-de',
};

function errorOf(run: () => unknown): { code: string; message: string; hint: string | undefined } {
  try {
    run();
  } catch (error) {
    if (isSortimentError(error)) return { code: error.code, message: error.message, hint: error.hint };
    throw error;
  }
  throw new Error('no error was thrown');
}

describe('the choices of a site', () => {
  it('need a name, a maker and a main language; the rest has defaults', () => {
    expect(defineConfig(minimal)).toMatchObject({
      languages: 'all',
      assortment: 'content/assortment',
      price: { show: 'none', currency: 'EUR' },
      documents: 'mirror',
    });
  });

  it('are refused with every problem in words', () => {
    const broken = {
      ...minimal,
      mainLanguage: 'Deutsch',
      prices: 'net',
      price: { show: 'maybe', vat: { 'de-de': 190 } },
      documents: 'copy',
      sync: { concurrency: 0, timeout: 5 },
    };
    expect(errorOf(() => defineConfig(broken as unknown as OptionsInput))).toMatchInlineSnapshot(`
      {
        "code": "CONFIG_INVALID",
        "hint": "Correct the options named above. The configuration reference lists all options.",
        "message": "src/sortiment.config.ts has a problem:
        mainLanguage is not a lower-case language code such as "de-de"
        price.show is not "none", "net" or "gross", for all languages or by language
        price.vat.de-de must be at most 100
        documents must be one of "mirror", "link"
        sync.concurrency must be at least 1
        sync.timeout is not a known option
        prices is not a known option",
      }
    `);
  });

  it('refuse a long folder with another character at once', () => {
    expect(defineConfig({ ...minimal, path: '/shop/cata_log-2/' }).path).toBe('/shop/cata_log-2/');
    const { message } = errorOf(() => defineConfig({ ...minimal, path: `/${'x'.repeat(200)}.` }));
    expect(message).toContain('path is not a path of letters');
  });

  it('refuse fields of products that no place could show', () => {
    const label = 'x';
    const fields = {
      'Roll weight': { type: 'number', label },
      price: { type: 'number', label },
      constructor: { type: 'text', label },
      proto: { type: 'text', label, source: '__proto__' },
      backing: { type: 'text', label, source: 'intro', show: ['footer'] },
      joint_free: { type: 'text', label, unit: 'kg', values: { a: 'A' }, show: ['facets'] },
      colour: { type: 'choice', label: {} },
      size: { type: 'size', label },
      tags: { type: 'list', label, values: { 'Light Blue': 'x' } },
    };
    const broken = { ...minimal, product: { fields } };
    expect(errorOf(() => defineConfig(broken as unknown as OptionsInput)).message).toMatchInlineSnapshot(`
      "src/sortiment.config.ts has a problem:
        product.fields.Roll weight is not a lower-case name such as "roll_weight"
        product.fields.price is a field of the product interface, which the site shows already
        product.fields.constructor is a name that JavaScript reserves
        product.fields.proto.source is a name that JavaScript reserves
        product.fields.backing.source is a field of the product interface, which the site shows already
        product.fields.backing.show[0] must be one of "page", "list", "comparison", "facets", "search", "feeds", "schema"
        product.fields.joint_free.unit is for the type "number" only
        product.fields.joint_free.values is for the types "choice" and "list" only
        product.fields.joint_free.show has "facets", which the type "text" can't be without \`values\`
        product.fields.colour.values is missing: name the choices
        product.fields.size.type must be one of "text", "number", "boolean", "date", "url", "choice", "list"
        product.fields.tags.values.Light Blue is not a lower-case key such as "light-blue""
    `);
  });

  it('give values of products their types', () => {
    const typed = defineConfig({
      ...minimal,
      product: {
        fields: {
          roll_weight: { type: 'number', label: 'x' },
          colour: { type: 'choice', label: 'x', values: { red: 'Red', white: 'White' } },
          tags: { type: 'list', label: 'x' },
          folded_twice: { type: 'boolean', label: 'x' },
        },
      },
    });
    expectTypeOf<FieldValues<(typeof typed)['product']['fields']>>().toEqualTypeOf<{
      roll_weight?: Decimal | undefined;
      colour?: 'red' | 'white' | undefined;
      tags?: string[] | undefined;
      folded_twice?: boolean | undefined;
    }>();
  });

  it('refuse empty templates, variables that such pages do not have, and a whole tag as a code', () => {
    const seo = {
      templates: {
        product: { title: '%%title%% %%sku%% %%price%%', description: '' },
        norm: { description: { de: '%%sku%%' } },
      },
      verification: { google: '<meta content="abc">' },
    };
    expect(errorOf(() => defineConfig({ ...minimal, seo })).message).toBe(
      [
        'src/sortiment.config.ts has a problem:',
        '  seo.templates.product.description is empty: leave it out instead',
        "  seo.templates.product.title has the variable %%price%%, which these pages don't have; they have title, excerpt, page, pagenumber, sep, sitename, sitedesc, category, sku, gtin, brand",
        "  seo.templates.norm.description has the variable %%sku%%, which these pages don't have; they have title, excerpt, page, pagenumber, sep, sitename, sitedesc",
        '  seo.verification.google is not the plain code: copy the value of `content` from the tag of the service',
      ].join('\n'),
    );
  });

  it('extend the kinds of documents, with labels for those that have no standard ones', () => {
    const { documentKinds } = defineConfig({
      ...minimal,
      documentKinds: [{ key: 'epd' }, { key: 'cad', types: ['dwg'] }, { key: 'warranty', labels: { de: 'Garantie' } }],
    });
    expect(documentKinds.map(({ key, types }) => [key, ...types])).toEqual([
      ['datasheet', 'pdf'],
      ['safety_datasheet', 'pdf'],
      ['declaration_of_performance', 'pdf'],
      ['epd', 'pdf'],
      ['cad', 'dwg'],
      ['warranty', 'pdf'],
    ]);
    const wrong = [
      { key: 'warranty' },
      { key: 'E P D', labels: { de: 'x' } },
      { key: 'cad', types: ['exe'] },
      { key: 'constructor' },
      // Its label would replace the heading of all product pages.
      { key: 'application', labels: { de: 'Antrag' } },
    ];
    const { message } = errorOf(() => defineConfig({ ...minimal, documentKinds: wrong } as unknown as OptionsInput));
    expect(message).toContain('documentKinds[0].labels is missing: "warranty" has no standard labels');
    expect(message).toContain('documentKinds[1].key is not a name of lower-case letters, digits and underscores');
    expect(message).toContain('documentKinds[2].types[0] must be one of');
    expect(message).toContain('documentKinds[3].key is a name that JavaScript reserves');
    expect(message).toContain('documentKinds[4].key is a name of a field that the site shows already');
    expect(
      errorOf(() => defineConfig({ ...minimal, documentKinds: [{ key: 'epd' }, { key: 'epd' }] })).message,
    ).toContain('documentKinds has a kind twice');
  });

  it('have the colours of the style sheet, and refuse what a site can not show', () => {
    const { accent } = defineConfig(minimal).brand;
    const tokens = readFileSync(path.resolve(import.meta.dirname, '../styles/tokens.css'), 'utf8');
    expect(tokens).toContain(`--accent: light-dark(${accent.light}, ${accent.dark});`);
    expect(tokens).toContain('--paper: light-dark(#fff, #121417);');
    const faulty = {
      brand: { logo: 'logo.svg', accent: { light: '#ffcc00', dark: 'red' } },
      customCss: ['./own/site.scss'],
      components: { ProductHead: './own/ProductHead.tsx' },
      navigation: { header: { hide: ['shop'], links: [{ label: { de: 'Über uns' }, link: 'about' }] } },
      product: { sections: ['use', 'use'] },
    };
    expect(errorOf(() => defineConfig({ ...minimal, ...faulty } as OptionsInput)).message).toMatchInlineSnapshot(`
      "src/sortiment.config.ts has a problem:
        brand.logo is not the path of a file in public/, such as "/logo.svg"
        brand.accent.light has a contrast of 1.5 on the background #ffffff; at least 4.5 is required
        brand.accent.dark is not a colour such as "#c93a0a"
        customCss[0] is not the path of a file such as "./src/own/name.css"
        components.ProductHead is not the path of a file such as "./src/own/name.astro"
        navigation.header.hide[0] must be one of "products", "downloads", "journal", "podcast", "pages", "search"
        navigation.header.links[0].link is neither a path such as "/de-de/about/" nor an http(s) address
        product.sections has a section twice"
    `);
  });

  it('may name a currency, or currencies by language', () => {
    for (const currency of ['CHF', { de: 'EUR', 'de-ch': 'CHF' }])
      expect(defineConfig({ ...minimal, price: { currency } }).price.currency).toEqual(currency);
  });

  it.each([
    ['chf', ' is not an ISO 4217 currency code such as "CHF"'],
    ['ABC', ' is not an ISO 4217 currency code such as "CHF"'],
    [{ de: 'EUR', 'de-ch': 'Franken' }, '.de-ch is not an ISO 4217 currency code such as "CHF"'],
    [756, ' is neither a code nor codes by language'],
  ])('refuse the currency %o', (currency, problem) => {
    const broken = { ...minimal, price: { currency } } as OptionsInput;
    expect(errorOf(() => defineConfig(broken)).message).toContain(`price.currency${problem}`);
  });

  it('refuse a language rule that does not exist', () => {
    const broken = { ...minimal, publishing: { language: [{ by: 'colour', terms: {} }] } };
    expect(errorOf(() => defineConfig(broken as unknown as OptionsInput)).message).toMatchInlineSnapshot(`
      "src/sortiment.config.ts has a problem:
        publishing.language[0].by has an unknown value"
    `);
  });
});

describe('the environment', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sortiment-env-'));
  const settings = (variables: Record<string, string>) =>
    resolveSettings(folder, defineConfig(minimal), readEnvironment(folder, variables));

  it('means the embedded origin when it names no upstream', () => {
    expect(settings({ PRODUCT_API_URL: '' }).upstreams).toBe('embedded');
  });

  it.each([
    'https://partner.example',
    'https://partner.example/',
    'https://partner.example/api/partner/v1/',
    'https://partner.example/api/partner/v1',
  ])('takes %s as the product interface', (url) => {
    expect(settings({ PRODUCT_API_URL: url, PRODUCT_API_TOKEN: 't' }).upstreams).toEqual({
      product: { root: 'https://partner.example/api/partner/v1/', token: 't' },
    });
  });

  it('names by the address of the site the folder that it lies in, unless Astro names another', () => {
    const bare = settings({ SITE_URL: 'https://owner.example' });
    expect(bare).toMatchObject({ siteUrl: 'https://owner.example', base: '/' });
    const project = settings({ SITE_URL: 'https://owner.example/project/' });
    expect(project).toMatchObject({ siteUrl: 'https://owner.example/project', base: '/project/' });
    expect(withBasePath(project, '/project')).toBe(project);
    expect(withBasePath(bare, '/project')).toMatchObject({
      siteUrl: 'https://owner.example/project',
      base: '/project/',
      ownBase: '/project/',
    });
  });

  it.each(['/bau stoffe', '/b%C3%BCro', '/shop//all', '/shop?page=1', '/#shop'])('refuses a site at %s', (folder) => {
    const refused = expect.objectContaining({ code: 'CONFIG_INVALID', hint: expect.stringContaining('SITE_URL') });
    expect(() => settings({ SITE_URL: `https://owner.example${folder}` })).toThrow(refused);
    expect(() => withBasePath(settings({}), folder)).toThrow(refused);
  });

  it('knows stock namespace names, given or to be found out', () => {
    expect(
      settings({
        PUBLISHING_URL: 'https://blog.example/',
        PUBLISHING_NAMESPACES: 'stock',
        PUBLISHING_REST_ROOT: 'wp-json',
      }).upstreams,
    ).toMatchObject({
      publishing: { siteUrl: 'https://blog.example', restRoot: 'wp-json', namespaces: { 'core/v2': 'wp/v2' } },
    });
    expect(settings({ PUBLISHING_URL: 'https://blog.example' }).upstreams).toEqual({
      publishing: { siteUrl: 'https://blog.example', restRoot: 'detect', namespaces: {} },
    });
  });

  it('may fix the name of the core namespace by a word, and others by pairs', () => {
    for (const [names, namespaces] of [
      ['stock', { 'core/v2': 'wp/v2' }],
      ['stock, seo/v1=acme/v1', { 'core/v2': 'wp/v2', 'seo/v1': 'acme/v1' }],
      ['seo/v1=acme/v1 neutral', { 'core/v2': 'core/v2', 'seo/v1': 'acme/v1' }],
    ] as const) {
      const { upstreams } = settings({ PUBLISHING_URL: 'https://blog.example', PUBLISHING_NAMESPACES: names });
      expect(upstreams, names).toMatchObject({ publishing: { namespaces } });
    }
  });

  it('takes a user and a password for each upstream, beside a token or instead of one', () => {
    const product = { PRODUCT_API_URL: 'https://a.example', PRODUCT_API_USER: 'api', PRODUCT_API_PASSWORD: 'geheim 1' };
    const blog = { PUBLISHING_URL: 'https://b.example', PUBLISHING_USER: 'blog', PUBLISHING_PASSWORD: 'geheim 2' };
    expect(settings({ ...product, ...blog }).upstreams).toEqual({
      product: { root: 'https://a.example/api/partner/v1/', account: { user: 'api', password: 'geheim 1' } },
      publishing: {
        siteUrl: 'https://b.example',
        restRoot: 'detect',
        namespaces: {},
        account: { user: 'blog', password: 'geheim 2' },
      },
    });
    expect(settings({ ...product, PRODUCT_API_TOKEN: 't' }).upstreams).toMatchObject({
      product: { token: 't', account: { user: 'api' } },
    });
  });

  it('refuses a user without a password, and what HTTP Basic cannot carry', () => {
    expect(errorOf(() => settings({ PUBLISHING_URL: 'https://b.example', PUBLISHING_USER: 'blog' })).message).toContain(
      'PUBLISHING_PASSWORD is not set, but PUBLISHING_USER is',
    );
    expect(errorOf(() => settings({ PRODUCT_API_USER: 'a:b', PRODUCT_API_PASSWORD: 'x' })).message).toContain(
      'PRODUCT_API_USER contains a colon or a control character',
    );
  });

  it.each([
    ['PRODUCT_API_URL', 'set PRODUCT_API_USER and PRODUCT_API_PASSWORD instead'],
    ['PUBLISHING_URL', 'set PUBLISHING_USER and PUBLISHING_PASSWORD instead'],
    ['SITE_URL', 'remove it'],
  ])('refuses a user name and a password in %s, and does not show them', (name, advice) => {
    const { message } = errorOf(() => settings({ [name]: 'https://stage:geheim@host.example' }));
    expect(message).toContain(`${name} contains a user name or password: ${advice}`);
    expect(message).not.toMatch(/stage|geheim/);
  });

  it('refuses them in every address of the choices', () => {
    const address = 'https://stage:geheim@host.example';
    const { message } = errorOf(() =>
      defineConfig({
        ...minimal,
        site: { name: 'Haldenwerk', url: address },
        assortment: address,
        mediaHosts: [address],
        indexNow: { key: 'abcdefgh', endpoint: address },
        security: { contact: ['mailto:a@b.example'], expires: '2027-01-01', policy: address },
        seo: { hub: address, profiles: [address] },
        hooks: [{ name: 'a', type: 'gitlab', project: 'a/b', apiUrl: address }],
      }),
    );
    const places = [
      'site.url',
      'assortment',
      'indexNow.endpoint',
      'security.policy',
      'seo.hub',
      'seo.profiles[0]',
      'hooks[0].apiUrl',
    ];
    for (const place of places) expect(message).toContain(`${place} contains a user name or password`);
    expect(message).toContain('mediaHosts[0] is not a host');
    expect(message).not.toMatch(/stage|geheim/);
  });

  it('says that the token is missing, and where it is found', () => {
    expect(errorOf(() => settings({ PRODUCT_API_URL: 'https://partner.example' }))).toMatchInlineSnapshot(`
      {
        "code": "TOKEN_MISSING",
        "hint": "Set PRODUCT_API_TOKEN to the token that the interface's docs/ page shows you, or PRODUCT_API_USER and PRODUCT_API_PASSWORD if it requires a user and a password.",
        "message": "PRODUCT_API_URL is set to https://partner.example, but PRODUCT_API_TOKEN is not set.",
      }
    `);
  });

  it('names every broken variable at once and prints no value', () => {
    const error = errorOf(() =>
      settings({
        PRODUCT_API_URL: 'partner.example',
        PORT: 'high',
        PUBLISHING_NAMESPACES: 'wp',
        SORTIMENT_OFFLINE: 'yes',
      }),
    );
    expect(error).toMatchInlineSnapshot(`
      {
        "code": "ENVIRONMENT_INVALID",
        "hint": "Correct it in .env or in the shell; .env.example explains each variable.",
        "message": "The environment has a problem:
        PRODUCT_API_URL is not an http(s) address
        PUBLISHING_NAMESPACES is not a list of pairs such as "seo/v1=acme/v1", "stock" or "neutral"
        SORTIMENT_OFFLINE must be 1 or 0
        PORT is not a port",
      }
    `);
  });

  it('reads .env without overriding the shell', () => {
    writeFileSync(path.join(folder, '.env'), 'SITE_URL=https://from-file.example\n');
    const before = process.env['SITE_URL'];
    process.env['SITE_URL'] = 'https://from-shell.example';
    try {
      expect(readEnvironment(folder).SITE_URL).toBe('https://from-shell.example');
      delete process.env['SITE_URL'];
      expect(readEnvironment(folder).SITE_URL).toBe('https://from-file.example');
    } finally {
      if (before === undefined) delete process.env['SITE_URL'];
      else process.env['SITE_URL'] = before;
    }
  });
});
