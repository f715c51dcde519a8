import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { experimental_AstroContainer as Container } from 'astro/container';
import * as compilerRuntime from 'astro/compiler-runtime';
import { beforeAll, describe, expect, it } from 'vitest';
import { isMiddlewareInert, leanRoute, type MiddlewareLoader, type PageComponent } from './lean-pages.ts';
import { leanRuntime, renderLean } from './lean-runtime.ts';

const { transform } = (await import(
  createRequire(fileURLToPath(import.meta.resolve('astro'))).resolve('@astrojs/compiler-rs')
)) as { transform(source: string, options: object): Promise<{ code: string }> };

const runtime = leanRuntime({ ...compilerRuntime } as never);
/** Created once, as in a bundle. */
const components: Record<string, PageComponent> = {};

/** Compiles like Astro, except for imports: components of these tests. */
async function compile(name: string, source: string): Promise<PageComponent> {
  const { code } = await transform(source, {
    filename: `/${name}.astro`,
    internalURL: 'runtime',
    compact: true,
    resultScopedSlot: true,
    renderScript: true,
  });
  const body = code
    .replace(
      /^import \{(.+)\} from "runtime";$/m,
      (_, names: string) => `const {${names.replaceAll(' as ', ': ')}} = runtime;`,
    )
    .replaceAll(/^import .+;$/gm, '')
    .replace(/^export const \$\$metadata[^]*?^\}\);$/m, '')
    .replace(/^export default (.+);$/m, 'return $1;');
  const make = new Function('runtime', 'components', `with (components) { return (() => {${body}})() }`);
  const component = make(runtime, components) as PageComponent;
  components[name] = component;
  return component;
}
const page = (body: string, script = ''): string =>
  `---\nconst { a, list, html } = Astro.props;\n${script}\n---\n<!doctype html><html><head><title>{a}</title></head><body>${body}</body></html>`;

/** Renders a page by Astro, then as the pages after it: text if it was rendered in the lean way. */
async function renderBoth(source: string, props: Record<string, unknown> = {}) {
  const component = await compile('Page', source);
  const route = leanRoute(component, renderLean);
  const page: PageComponent = (result, given, slots) => {
    // Simulates a page that Astro knows to have a head.
    Object.assign(Reflect.get(result, '_metadata') as object, { headInTree: true });
    Object.assign(result, {
      inlinedScripts: new Map([['/Counter.astro?astro&type=script&index=0&lang.ts', 'count()']]),
    });
    return route.page(result, given, slots);
  };
  const container = await Container.create();
  const caught = Object.assign(page, component) as never;
  const renderByAstro = async () => new Response(await container.renderToString(caught, { props, partial: false }));
  const astros = await renderByAstro().then((response) => response.text());
  const render = () => route.render({ pathname: '/', params: {}, props }, renderByAstro);
  // The first ones are compared.
  for (let i = 0; i < 2; i++) await render();
  return { astros, lean: await render() };
}

beforeAll(async () => {
  const sources = {
    Box: '<div class="box"><slot /><slot name="foot"><i>none</i></slot></div>',
    Late: '---\nconst x = await Promise.resolve(Astro.props.x);\n---\n<i>{x}</i><slot />',
    Upper: "---\nconst html = (await Astro.slots.render('default')).toUpperCase();\n---\n<Fragment set:html={html} />",
    Title: '---\nconst { as: Tag, ...rest } = Astro.props;\n---\n<Tag {...rest}><slot /></Tag>',
    Twice: "<slot />{Astro.slots.has('default') && <slot />}{Astro.slots.other && <b>other</b>}",
    Counter: '<b>1</b><script>count()</script>',
    Careless:
      "---\nlet html = 'nothing';\ntry { html = await Astro.slots.render('default', [1]); } catch {}\n---\n<p>{html}</p>",
    Broken: "---\nthrow new Error('it is broken');\n---\n<p>never</p>",
  };
  for (const [name, source] of Object.entries(sources)) await compile(name, source);
});

const PROPS = { a: '<a & "b">', list: [0, 1, null, undefined, true, false, '', '<'], html: '<b>&amp;</b>' };

describe('renders as Astro does', () => {
  it.each([
    '{a}{list}{0}{-1.5}{null}{[["x"], <b>y</b>]}{() => <i>{a}</i>}',
    '<a href={a} title="" hidden={false} download data-x={1} class:list={["x", { y: a }]} style={{ color: "red" }}>x</a>',
    '<input {...{ value: a, checked: true, disabled: false, class: "x" }} />',
    '<div set:html={html} /><div set:text={html} /><Fragment set:html={html} />',
    '<Box>in {a}<b slot="foot">foot</b></Box><Box /><Box>{list.map((x) => <Box>{x}</Box>)}</Box>',
    '<Twice>{a}</Twice><Twice /><Twice><b slot="other">x</b></Twice>',
    '<Title as="h2" lang={a}>{a}</Title><Title as="hr" /><Title as={Fragment}>x</Title>',
    '<Late x="1"><b>2</b></Late>{Promise.resolve(a)}{Promise.resolve(<Late x={a} />)}<Box><Late x="3" /></Box>',
    '<Counter /><Upper><b>x</b></Upper><Box><Counter /></Box>',
    '<Box><Upper>a<Counter /></Upper></Box>',
    '<Upper>a<b>{a}</b><Late x="late"><Upper>in</Upper></Late></Upper><Upper>b</Upper>',
    '<Counter /><Box><Counter /></Box><Late><Counter /></Late>',
    '<template><Counter /></template><Counter />',
  ])('%s', async (body) => {
    const { astros, lean } = await renderBoth(page(body), PROPS);
    expect(astros).toContain('</html>');
    expect(lean).toBe(astros);
  });
});

describe('leaves to Astro what it does otherwise, or what a page has to itself', () => {
  it.each([
    page('{Astro.url.pathname}'),
    page('{Astro.request.method}'),
    page('<Box class:list={["x"]} />'),
    page('{new Set([1])}'),
    page('{NaN}'),
    page('<Upper><Counter /></Upper><Counter />'),
    page('<Upper><Counter /></Upper><Upper><Counter /></Upper>'),
    page('<Title as="h2"><Counter /></Title>'),
    page('<Careless>x</Careless>'),
    '<p>x</p>',
  ])('%s', async (source) => {
    const { astros, lean } = await renderBoth(source, PROPS);
    expect(lean).toBeInstanceOf(Response);
    expect(await (lean as Response).text()).toBe(astros);
  });

  it('an error', async () => {
    await expect(renderBoth(page('{Astro.props.isBroken && <Broken />}'), { isBroken: true })).rejects.toThrow(
      'it is broken',
    );
  });
});

it.each<[string, Awaited<ReturnType<MiddlewareLoader>>['onRequest'], boolean]>([
  ['none', undefined, true],
  ['the default of Astro', (_, next) => next(), true],
  ['one that waits', async (_, next) => next(), false],
  ['one that reads the request', (context, next) => (context as { url?: unknown }).url ?? next(), false],
])('finds middleware that may change pages: %s', async (_, onRequest, isInert) => {
  expect(await isMiddlewareInert(async () => (onRequest ? { onRequest } : {}))).toBe(isInert);
});
