const LAYOUT = `---
const { title } = Astro.props;
---

<!doctype html>
<html lang="en">
  <head>
    <slot name="head">
      <meta charset="utf-8" />
      <title>{title}</title>
    </slot>
  </head>
  <body>
    <nav class="blog-nav"><a href="/site/">Blog</a></nav>
    <slot />
  </body>
</html>

<style>
  .blog-nav {
    background: rebeccapurple;
  }
</style>
`;

const INDEX = `---
import { getCollection } from 'astro:content';
import Layout from '../layouts/Layout.astro';

const posts = await getCollection('blog');
---

<Layout title="Blog">
  <ul>{posts.map(({ id }) => <li><a href={\`/site/blog/\${id}/\`}>{id}</a></li>)}</ul>
  <p>{Astro.currentLocale}</p>
</Layout>
`;

const POST = `---
import { getCollection, render } from 'astro:content';
import Layout from '../../layouts/Layout.astro';

export const getStaticPaths = async () =>
  (await getCollection('blog')).map((post) => ({ params: { slug: post.id }, props: { post } }));

const { Content } = await render(Astro.props.post);
---

<Layout title={Astro.props.post.id}><Content /></Layout>
`;

/** Writes the configuration of the blog. */
const astroConfig = (imports: string, settings: string): string => `import { defineConfig } from 'astro/config';
${imports}
export default defineConfig({
  site: 'https://blog.example',
  base: '/site',
  trailingSlash: 'ignore',
  i18n: { defaultLocale: 'en-gb', locales: ['en-gb', 'nl-nl'] },
${settings}});
`;

const contentConfig = (
  imports: string,
  collections: string,
): string => `import { defineCollection } from 'astro:content';
import { glob } from 'astro/loaders';
${imports}
const blog = defineCollection({ loader: glob({ base: './src/content/blog', pattern: '**/*.md' }) });

export const collections = { blog${collections} };
`;

/** A plain Astro blog in a folder of its host, in two languages. */
export const BLOG: Readonly<Record<string, string>> = {
  'astro.config.mjs': astroConfig('', ''),
  'src/content.config.ts': contentConfig('', ''),
  'src/layouts/Layout.astro': LAYOUT,
  'src/pages/index.astro': INDEX,
  'src/pages/blog/[...slug].astro': POST,
  'src/content/blog/first.md': '# First post\n\nText.\n',
  'src/content/blog/second.md': '# Second post\n',
  'public/favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>\n',
};

const OPTIONS = `import { defineConfig } from 'sortiment/config';

export default defineConfig({
  path: '/catalogue',
  site: { name: 'Alpfolie', url: 'https://blog.example/site' },
  maker: { name: 'Alpfolie AG', address: ['Bergweg 1'], email: 'info@alpfolie.example' },
  mainLanguage: 'en-gb',
  price: { show: 'net' },
  brand: { font: { name: 'Blog Sans', files: ['@fontsource-variable/instrument-sans/index.css'] } },
  components: { Layout: './src/layouts/Catalogue.astro' },
  pages: { journal: false, podcast: false, norms: false, data: false, search: false, compare: false, downloads: false },
});
`;

const CATALOGUE_LAYOUT = `---
import Head from 'sortiment/components/Head.astro';
import Typeset from 'sortiment/components/Typeset.astro';
import Layout from './Layout.astro';

const { head, ui } = Astro.props;
---

<Layout title={head.title}>
  <Head slot="head" head={head} />
  <main><Typeset ui={ui}><slot /></Typeset></main>
</Layout>
`;

/** Adds the catalogue with products and lists to the blog. */
export const WITH_CATALOGUE: Readonly<Record<string, string>> = {
  'src/sortiment.config.ts': OPTIONS,
  'src/layouts/Catalogue.astro': CATALOGUE_LAYOUT,
  'astro.config.mjs': astroConfig(
    `import { sortiment } from 'sortiment';\nimport options from './src/sortiment.config.ts';\n`,
    '  integrations: [sortiment(options, import.meta.dirname)],\n',
  ),
  'src/content.config.ts': contentConfig(
    `import { sortimentCollections } from 'sortiment/collections';\nimport options from './sortiment.config.ts';\n`,
    ', ...sortimentCollections(options)',
  ),
};

const PRODUCTS_PAGE = `---
import { getCollection } from 'astro:content';
import Layout from '../layouts/Layout.astro';

const products = await getCollection('products', ({ data }) => data.pageLanguage === 'en-gb');
---

<Layout title="Products">
  <ul>{products.map(({ data }) => <li>{data.item_number} {data.name}</li>)}</ul>
</Layout>
`;

/** Lists products on a page of the blog, without the integration. */
export const WITH_LOADER: Readonly<Record<string, string>> = {
  'astro.config.mjs': astroConfig('', ''),
  'src/content.config.ts': contentConfig(
    `import { productLoader } from 'sortiment/loaders';\nimport options from './sortiment.config.ts';\n`,
    ', products: defineCollection({ loader: productLoader(options) })',
  ),
  'src/pages/products.astro': PRODUCTS_PAGE,
};
