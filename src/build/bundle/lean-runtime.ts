import {
  chunkToString,
  escapeHTML,
  Fragment,
  isHTMLString,
  spreadAttributes,
  voidElementNames,
} from 'astro/runtime/server/index.js';

/**
 * Replaces the functions that compiled components call in the bundle. While a page is rendered lean, templates become
 * text at once. Astro would build objects that it walks, buffers and writes piece by piece. Anything unsupported
 * throws, and Astro renders the page. At all other times Astro's own functions are called.
 */

/** Render context of Astro for the component of a page. */
export interface LeanResult {
  /** Creates the `Astro` of a component; its prototype is that of the page. */
  createAstro(props: object, slots: unknown): object;
  /** `Astro` of the page. */
  leanAstro: object;
  componentMetadata: ReadonlyMap<string, { propagation: string }>;
  partial: boolean;
  compressHTML: unknown;
  _metadata: { headInTree: boolean; hasRenderedHead: boolean };
}

type Slot = (result: LeanResult) => unknown;
type Slots = Record<string, Slot | undefined>;

interface Factory {
  (result: LeanResult, props: object, slots: Slots): unknown;
  isAstroComponentFactory: true;
  moduleId?: string;
  propagation?: string;
}

interface LeanPage {
  rejection: string | undefined;
  /** Scripts that a rendered slot has already included. */
  scripts: Set<unknown>;
}

/** The current page. Each page has its own object, because a previous page may still have pending work. */
let page: LeanPage | undefined;

/** Throws, and records the reason, because a component may catch the error. */
function reject(what: string): never {
  if (page) page.rejection ??= what;
  throw new Error(what);
}

/** Output of a template: text with pending values in page order. */
class Html {
  text: string;
  /** Alternates between text and pending values that precede `text`. */
  earlier: unknown[] | undefined;

  constructor(text = '') {
    this.text = text;
  }

  add(value: unknown): this {
    if (typeof value === 'string') this.text += escapeHTML(value);
    else if (value instanceof Html) {
      if (value.earlier) {
        const [first, ...rest] = value.earlier;
        (this.earlier ??= []).push(this.text + String(first), ...rest);
        this.text = value.text;
      } else this.text += value.text;
    } else if (typeof value === 'object' && value !== null) this.#addObject(value);
    else if (typeof value === 'function') this.add(value());
    else if (typeof value === 'number' && !Number.isNaN(value)) this.text += String(value);
    else if (value === true) this.text += 'true';
    else if (value !== undefined && value !== null && value !== false) reject(`a ${typeof value} in a template`);
    return this;
  }

  #addObject(value: object): void {
    if (Array.isArray(value)) for (const each of value) this.add(each);
    else if (value instanceof Promise) this.#addLater(suppressRejection(value));
    else if (isInstruction(value)) this.#addLater(value);
    else if (isHTMLString(value) && !(SLOT_STRING in value)) this.text += value.toString();
    else reject('an object in a template');
  }

  #addLater(value: object): void {
    (this.earlier ??= []).push(this.text, value);
    this.text = '';
  }

  /** Returns the text for callers that can't wait. */
  get onlyText(): string {
    return this.earlier ? reject('a pending value') : this.text;
  }

  toString(): string {
    return reject('a template as text');
  }
}

const INSTRUCTION = Symbol.for('astro:render');
const SLOT_STRING = Symbol.for('astro:slot-string');
/** Instructions that depend only on earlier output. */
const INSTRUCTIONS: ReadonlySet<unknown> = new Set(['head', 'maybe-head', 'script', 'template-enter', 'template-exit']);

interface Instruction {
  type: string;
  /** Only for scripts. */
  id?: string;
}

function isInstruction(value: object): value is Instruction {
  return INSTRUCTION in value && 'type' in value && INSTRUCTIONS.has(value.type);
}

/** Astro's signature requires a full result. */
const writeInstruction = chunkToString as (result: never, instruction: never) => unknown as (
  result: LeanResult,
  instruction: Instruction,
) => unknown;

/** Suppresses unhandled rejections: the awaiting code handles the failure. */
function suppressRejection<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/**
 * Resolves pending values and instructions to text.
 *
 * @param write Renders Astro's instructions.
 */
async function join(html: Html, write: (instruction: Instruction) => unknown): Promise<string> {
  let text = '';
  for (const part of html.earlier ?? []) {
    if (typeof part === 'string') text += part;
    else if (part instanceof Promise) text += await join(new Html().add(await part), write);
    else text += String(write(part as Instruction));
  }
  return text + html.text;
}

/** `Astro.slots` of a component. */
class LeanSlots {
  readonly #slots: Slots;
  readonly #result: LeanResult;

  constructor(result: LeanResult, slots: Slots) {
    this.#slots = slots;
    this.#result = result;
    for (const name of Object.keys(slots)) {
      if (name in this) reject(`a slot named ${name}`);
      Object.defineProperty(this, name, { value: true, enumerable: true });
    }
  }

  has(name: string): boolean {
    return Boolean(this.#slots[name]);
  }

  /** Renders a slot before its position on the page is known. Throws for anything that depends on the position. */
  async render(name: string, args: unknown[] = []): Promise<string | undefined> {
    const slot = this.#slots[name];
    if (args.length > 0) reject('a slot with arguments');
    const usedScripts = page?.scripts;
    return (
      slot &&
      join(new Html().add(slot(this.#result)), (instruction) => {
        if (instruction.type !== 'script' || !usedScripts || usedScripts.has(instruction.id))
          reject('an instruction in a slot');
        usedScripts.add(instruction.id);
        return writeInstruction(this.#result, instruction);
      })
    );
  }
}

const SLOTS = Symbol('slots');

/** Returns the factory of `Astro` objects for the components of a page. */
function leanCreator(result: LeanResult): LeanResult['createAstro'] {
  const base = Object.create(result.leanAstro, {
    slots: {
      get(this: { [SLOTS]: Slots }) {
        return new LeanSlots(result, this[SLOTS]);
      },
    },
  }) as object;
  return (props, slots) =>
    Object.assign(Object.create(base) as object, { self: null, props, [SLOTS]: (slots ?? {}) as Slots });
}

/** @throws Error if Astro has to render the page. */
export async function renderLean(result: LeanResult, Page: unknown, props: object): Promise<string> {
  const current: LeanPage = { rejection: undefined, scripts: new Set() };
  page = current;
  try {
    result.createAstro = leanCreator(result);
    const html = await (Page as Factory)(result, props, {});
    if (!(html instanceof Html)) return reject('a page without a template');
    const start = /^<(!doctype )?html[\s>]/i.exec(String(html.earlier?.[0] ?? html.text));
    if (!start || result.partial) reject('a page without a leading html tag');
    // Compiled pages contain no doctype; Astro adds it.
    const doctype = start[1] ? '' : `<!DOCTYPE html>${result.compressHTML ? '' : '\n'}`;
    const text = await join(html, (instruction) => {
      if (current.scripts.has(instruction.id)) reject('a script both in a slot and outside of it');
      return writeInstruction(result, instruction);
    });
    if (current.rejection !== undefined) throw new Error(current.rejection);
    return doctype + text;
  } finally {
    page = undefined;
  }
}

const NAME_UNSAFE = /[&<>'"\s]/;

/** Renders a tag whose name is a value. */
function renderElement(result: LeanResult, name: string, props: object, slots: Slots): Html {
  if (NAME_UNSAFE.test(name)) reject('an unsafe tag name');
  const inside = Object.values(slots).map((slot) => new Html().add(slot?.(result)).onlyText);
  const text = inside.join('');
  const attributes = String(spreadAttributes(props, name));
  return new Html(`<${name}${attributes}${text === '' && voidElementNames.test(name) ? '/>' : `>${text}</${name}>`}`);
}

function renderComponent(result: LeanResult, name: string, component: unknown, props: object, slots: Slots): unknown {
  for (const key in props) if (key.includes(':')) reject(`${name} with ${key}`);
  if (component === Fragment) return slots['default']?.(result);
  if (typeof component === 'string') return renderElement(result, component, props, slots);
  if (!isFactory(component) || isPropagating(result, component)) reject(name);
  const value = component(result, props, slots);
  return value instanceof Promise ? suppressRejection(value) : value;
}

function isFactory(component: unknown): component is Factory {
  return typeof component === 'function' && 'isAstroComponentFactory' in component;
}

/** True if the component or its children add to the head, which would have to wait for them. */
function isPropagating({ componentMetadata }: LeanResult, { moduleId, propagation }: Factory): boolean {
  const known = moduleId === undefined ? undefined : componentMetadata.get(moduleId)?.propagation;
  return (propagation ?? 'none') !== 'none' || (known ?? 'none') !== 'none';
}

/** Functions of Astro that compiled components may import. */
interface CompilerRuntime extends Record<string, unknown> {
  render(parts: readonly string[], ...values: unknown[]): unknown;
  renderComponent: typeof renderComponent;
  renderSlot(result: LeanResult, slot: unknown, fallback?: unknown): unknown;
  maybeRenderHead(result: LeanResult): unknown;
  renderScript(result: LeanResult, id: string): unknown;
  unescapeHTML(value: unknown): unknown;
  addAttribute(value: unknown, name: string, isEscaped?: boolean, tag?: string): unknown;
}

/** Functions that work unchanged for lean pages, because they only depend on their arguments. */
const UNCHANGED =
  /^(createAstro|createComponent|define(Script|Style)Vars|mergeSlots|renderHead|spreadAttributes|template(Enter|Exit))$/;

/** Wraps Astro's functions for compiled components with their lean versions. */
export function leanRuntime(astro: CompilerRuntime): Record<string, unknown> {
  const scripts = new Map<string, unknown>();
  const cacheScript = async (id: string, pending: unknown): Promise<unknown> => {
    const script = await pending;
    scripts.set(id, script);
    return script;
  };
  const isPlainByName = new Map<string, boolean>();
  /** True if Astro writes text values of an attribute unchanged apart from escaping. */
  const isPlainAttribute = (name: string): boolean => {
    const known = isPlainByName.get(name);
    if (known !== undefined) return known;
    const [full, empty] = ['a&"', ''].map((value) => String(astro.addAttribute(value, name, true, 'x-x')));
    const is = full === ` ${name}="a&amp;&quot;"` && empty === ` ${name}`;
    isPlainByName.set(name, is);
    return is;
  };
  const lean: CompilerRuntime = {
    addAttribute: (value, name, isEscaped, tag) => {
      if (!page || typeof value !== 'string' || isEscaped === false || !isPlainAttribute(name))
        return astro.addAttribute(value, name, isEscaped, tag);
      return new Html(value === '' ? ` ${name}` : ` ${name}="${escapeQuoted(value)}"`);
    },
    render: (parts, ...values) => {
      if (!page) return astro.render(parts, ...values);
      const html = new Html(parts[0]);
      for (let i = 0; i < values.length; i++) html.add(values[i]).text += parts[i + 1];
      return html;
    },
    renderComponent: (result, name, component, props, slots = {}) =>
      (page ? renderComponent : astro.renderComponent)(result, name, component, props, slots),
    renderSlot: (result, slot, fallback) => {
      if (!page) return astro.renderSlot(result, slot, fallback);
      const shown = slot || fallback;
      return typeof shown === 'function' ? (shown as Slot)(result) : shown;
    },
    // The head exists, or the page has none.
    maybeRenderHead: (result) =>
      page && (result._metadata.headInTree || result.partial) ? '' : astro.maybeRenderHead(result),
    renderScript: (result, id) => {
      if (!page) return astro.renderScript(result, id);
      return scripts.get(id) ?? cacheScript(id, astro.renderScript(result, id));
    },
    unescapeHTML: (value) => {
      if (!page || (typeof value !== 'string' && !(value instanceof Html))) return astro.unescapeHTML(value);
      return value instanceof Html ? value : new Html(value);
    },
  };
  return Object.fromEntries(
    Object.entries(astro).map(([name, value]) => [name, lean[name] ?? rejectWhileLean(name, value)]),
  );
}

function escapeQuoted(text: string): string {
  return /[&"]/.test(text) ? text.replaceAll('&', '&amp;').replaceAll('"', '&quot;') : text;
}

/** Wraps a function without a lean version: it throws while a page is rendered lean. */
function rejectWhileLean(name: string, value: unknown): unknown {
  if (typeof value !== 'function' || UNCHANGED.test(name)) return value;
  return (...args: unknown[]): unknown => (page ? reject(name) : Reflect.apply(value, undefined, args));
}
