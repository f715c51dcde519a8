/** A layout for Markdown and MDX. */
const LAYOUT = `---
const { frontmatter, headings } = Astro.props;
---

<!doctype html>
<html lang="de">
  <head><meta charset="utf-8" /><title>{frontmatter.title}</title></head>
  <body>
    <ol>{headings.map(({ depth, slug, text }) => <li>{depth} {slug} {text}</li>)}</ol>
    <slot />
  </body>
</html>
`;

const BOX = `---
const { label } = Astro.props;
---

<p class="box"><strong>{label}</strong> <slot /></p>

<style>
  .box {
    color: rebeccapurple;
  }
</style>
`;

/** Returns a page with an Astro template as its body. */
const page = (body: string, frontmatter = ''): string =>
  `---\n${frontmatter}\n---\n\n<html lang="de"><head><title>Own</title></head><body>${body}</body></html>\n`;

const TEN = `export const getStaticPaths = () =>
  Array.from({ length: 10 }, (_, i) => ({ params: { n: String(i) }, props: { i } }));`;

/** Pages and endpoints of every kind that Astro supports, by file, with their imports. */
export const OWN_PAGES: Readonly<Record<string, string>> = {
  'src/layouts/Own.astro': LAYOUT,
  'src/components/Box.astro': BOX,
  'src/pages/own/index.astro': page(
    '<Box label="L">in</Box> {Astro.url.href} {Astro.site?.href} {Astro.generator} {import.meta.env.BASE_URL}',
    `import Box from '../../components/Box.astro';`,
  ),
  'src/pages/own/bare.md': '# Hello *bare*\n\nText with "quotes" and `code`.\n\n## Second\n',
  'src/pages/own/laid.md': '---\nlayout: ../../layouts/Own.astro\ntitle: Laid "out"\n---\n\n# Hello\n\n## Second\n',
  'src/pages/own/bare-x.mdx': '# Hello bare\n\nText {1 + 1}.\n',
  'src/pages/own/laid-x.mdx': `---\nlayout: ../../layouts/Own.astro\ntitle: Laid\n---\n\n# Hello\n\n## Second {'x'}\n`,
  'src/pages/own/exports.mdx': `---
title: Exported
list: [a, b]
---
import Box from '../../components/Box.astro';

export const answer = 42;

# {frontmatter.title}

<Box label="Label">inner **bold** {answer}</Box>

{frontmatter.list.map((one) => <em>{one}</em>)}
`,
  'src/pages/own/static.html':
    '<!doctype html>\n<html lang="de"><head><title>S</title></head><body>Static</body></html>\n',
  'src/pages/own/fragment.astro': '<p>Only a fragment</p>\n',
  'src/pages/own/partial.astro': '---\nexport const partial = true;\n---\n\n<li>part</li>\n',
  'src/pages/own/prerendered.astro': page('p', 'export const prerender = true;'),
  'src/pages/own/script.astro': page(`<script>document.body.dataset['ran'] = 'yes';</script>`),
  'src/pages/own/gone.astro': page('Gone', 'Astro.response.status = 410;'),
  'src/pages/own/response.astro': `---\nreturn new Response('<p>by hand</p>', { headers: { 'Content-Type': 'text/html' } });\n---\n`,
  'src/pages/own/größe.astro': page('{Astro.url.pathname}'),
  'src/pages/own/list/[...page].astro': page(
    '{page.data.join()} {page.currentPage}/{page.lastPage} {page.url.current} {page.url.next} {page.url.prev}',
    `export const getStaticPaths = ({ paginate }) => paginate([1, 2, 3, 4, 5], { pageSize: 2 });
const { page } = Astro.props;`,
  ),
  'src/pages/own/deep/[a]/[...rest].astro': page(
    '{a}: {rest} {[...Astro.props.set].join()}',
    `export const getStaticPaths = () => [
  { params: { a: 'x', rest: 'y/z' }, props: { set: new Set([1]) } },
  { params: { a: 'x', rest: undefined }, props: { set: new Set() } },
];
const { a, rest } = Astro.params;`,
  ),
  'src/pages/own/ten/[n].astro': page(
    '<Box label={Astro.props.i}>{Astro.params.n}</Box>',
    `import Box from '../../../components/Box.astro';\n${TEN}`,
  ),
  // In a language folder, pages of a route may share the result of the first one.
  'src/pages/de-de/own/index.astro': page('{Astro.url.pathname}'),
  'src/pages/de-de/own/bare-x.mdx': '# Inside\n',
  'src/pages/de-de/own/ten/[n].astro': page(
    '<Box label={Astro.props.i}>{Astro.params.n}</Box>',
    `import Box from '../../../../components/Box.astro';\n${TEN}`,
  ),
  'src/pages/de-de/own/ten-x/[n].mdx': `${TEN}\n\n# Number {props.i}\n`,
  'src/pages/own/data.json.ts': 'export const GET = () => Response.json({ a: 1 });\n',
  'src/pages/own/[id].json.ts': `export const getStaticPaths = () =>
  ['x', 'y'].map((id) => ({ params: { id }, props: { map: new Map([[id, 1]]) } }));

export const GET = ({ params, props }) => Response.json({ ...params, map: [...props.map] });
`,
  'src/pages/own/bytes.bin.ts': 'export const GET = () => new Response(new Uint8Array([0, 255, 128, 10]));\n',
  'src/pages/own/missing.txt.ts': `export const GET = () => new Response('not there', { status: 404 });\n`,
};

/** Pages that need Astro's own process. `src/assets/wall.png` is an image. */
export const PAGES_FOR_ASTRO: Readonly<Record<string, string>> = {
  'src/pages/own/moved.astro': `---\nreturn Astro.redirect('/own/');\n---\n`,
  'src/pages/own/see.astro': page(
    'Elsewhere',
    `Astro.response.status = 301;\nAstro.response.headers.set('Location', '/own/');`,
  ),
  'src/pages/own/some-moved/[n].astro': page(
    '{Astro.props.i}',
    `${TEN}\nif (Astro.props.i > 4) return Astro.redirect('/own/');`,
  ),
  'src/pages/own/image.astro': page(
    '<Image src={wall} alt="Wall" width={100} /><Picture src={wall} alt="Wall" width={120} formats={["avif", "webp"]} />',
    `import { Image, Picture } from 'astro:assets';\nimport wall from '../../assets/wall.png';`,
  ),
  'src/pages/own/pictured.md': '# Picture\n\n![Wall](../../assets/wall.png)\n',
};
