import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { experimental_AstroContainer as Container } from 'astro/container';
import * as compilerRuntime from 'astro/compiler-runtime';
import { beforeAll, describe, expect, it } from 'vitest';
import { getErrorMessage } from '#contracts/index.ts';
import { leanRuntime, renderLean } from './lean-runtime.ts';
import { shareResult, type AstroResult, type SharedResult } from './intercept-pages.ts';

type Component = (result: AstroResult, props: object, slots: object) => unknown;

const { transform } = (await import(
  createRequire(fileURLToPath(import.meta.resolve('astro'))).resolve('@astrojs/compiler-rs')
)) as { transform(source: string, options: object): Promise<{ code: string }> };

const runtime = leanRuntime({ ...compilerRuntime } as never);
/** Created once, as in a bundle. */
const components: Record<string, Component> = {};

/** Compiles like Astro, except for imports: components of these tests. */
async function compile(name: string, source: string): Promise<Component> {
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
  const component = make(runtime, components) as Component;
  components[name] = component;
  return component;
}
const page = (body: string, script = ''): string =>
  `---\nconst { a, list, html } = Astro.props;\n${script}\n---\n<!doctype html><html><head><title>{a}</title></head><body>${body}</body></html>`;

/** Renders a page with Astro and lean; errors are returned as messages. */
async function renderBoth(source: string, props: Record<string, unknown>): Promise<{ astros: string; lean: string }> {
  const component = await compile('Page', source);
  let shared: SharedResult | undefined;
  const caught = Object.assign((result: AstroResult, given: object, slots: object) => {
    // Simulates a page that Astro knows to have a head.
    Object.assign(Reflect.get(result, '_metadata') as object, { headInTree: true });
    Object.assign(result, {
      inlinedScripts: new Map([['/Counter.astro?astro&type=script&index=0&lang.ts', 'count()']]),
    });
    shared = shareResult(result);
    return component(result, given, slots);
  }, component);
  const container = await Container.create();
  const astros = await container.renderToString(caught as never, { props, partial: false }).catch(getErrorMessage);
  if (!shared) throw new Error('Astro has asked for no page.');
  const own = { params: {}, props };
  return { astros, lean: await renderLean(shared.begin('/', own), component, props).catch(getErrorMessage) };
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
    Gone: '---\nreturn new Response();\n---\n<p>never</p>',
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
    ['{Astro.url.pathname}', 'page-specific state'],
    ['{Astro.request.method}', 'page-specific state'],
    ['<Box client:load />', 'Box with client:load'],
    ['<Box class:list={["x"]} />', 'Box with class:list'],
    ['<Gone />', 'an object in a template'],
    ['{new Set([1])}', 'an object in a template'],
    ['{NaN}', 'a number in a template'],
    ['<Upper><Counter /></Upper><Counter />', 'a script both in a slot and outside of it'],
    ['<Upper><Counter /></Upper><Upper><Counter /></Upper>', 'an instruction in a slot'],
    ['<Title as="h2"><Counter /></Title>', 'a pending value'],
    ['<Careless>x</Careless>', 'a slot with arguments'],
    ['<div transition:name="x" />', 'renderTransition'],
  ])('%s', async (body, why) => {
    expect((await renderBoth(page(body), PROPS)).lean).toBe(why);
  });

  it('a page without <html>', async () => {
    expect((await renderBoth('<p>x</p>', {})).lean).toBe('a page without a leading html tag');
  });

  it('an error', async () => {
    expect(await renderBoth(page('<Broken />'), PROPS)).toEqual({ astros: 'it is broken', lean: 'it is broken' });
  });
});
