import { describe, expect, it } from 'vitest';
import { RECORD_DIGEST } from '#catalogue/site/render-context.ts';
import type { ReadRecorder } from '#catalogue/site/read-recorder.ts';
import { openTracer } from './recorded-reads.ts';

/** Recorder of pages without reads: only their props distinguish them. */
const recorder: ReadRecorder = {
  record: (run) => ({ result: run(), reads: new Map() }),
  answer: () => undefined,
  sourcesOf: () => [],
  isProductQuery: () => false,
  productQuerySources: () => new Set(),
  productValues: () => ({}),
};

async function traceOf(props: unknown) {
  const page = { route: 'src/pages/range.astro', props, isScoped: false };
  const { trace } = await openTracer(recorder).render(page, () => Promise.resolve('<p></p>'));
  return trace;
}

it('rejects a query of a collection with the GTIN of the page', async () => {
  const page = { route: 'src/pages/p/[slug].astro', props: { gtin: '9524000000002' }, isScoped: true };
  const reads = new Map([['countPosts ["de","9524000000002"]', '1']]);
  const reading: ReadRecorder = {
    ...recorder,
    record: (run) => ({ result: run(), reads }),
    sourcesOf: () => ['lists', 'posts'],
  };
  const render = (using: ReadRecorder) => openTracer(using).render(page, () => Promise.resolve('<p></p>'));
  await expect(render(reading)).rejects.toThrow('runs a query of a collection (posts) with its GTIN: countPosts');
  await expect(render({ ...reading, isProductQuery: () => true })).resolves.toBeDefined();
});

it('tells of the page of a product that it has read another one, as a build would not look for it by that', async () => {
  const [own, other] = ['9524000000002', '9524000000019'];
  const reads = new Map([own, other].map((gtin) => [`product ["de",${JSON.stringify(gtin)}]`, gtin]));
  const reading: ReadRecorder = { ...recorder, record: (run) => ({ result: run(), reads }) };
  const told = async (props: unknown, isScoped: boolean) => {
    const page = { route: 'src/pages/p/[slug].astro', props, isScoped };
    const { answers } = await openTracer(reading).render(page, () => Promise.resolve('<p></p>'));
    return answers.map(({ answer }) => answer);
  };
  expect(await told({ gtin: own }, true)).toEqual([other]);
  expect(await told({ family: 'tapes' }, true)).toEqual([]);
  expect(await told({ gtin: own }, false)).toEqual([own, other]);
});

/** Fails for every field except the first one that JSON reads. */
function readField(key: unknown): undefined {
  if (key !== 'toJSON') throw new Error(`${String(key)} is read.`);
}

describe('what a page was given', () => {
  it('is named by its digest where it has one, without being read', async () => {
    const record = (digest: string) =>
      new Proxy({}, { get: (_, key) => (key === RECORD_DIGEST ? digest : readField(key)) });
    const trace = await traceOf({ product: { data: record('a') } });
    expect(trace?.key).toBeDefined();
    expect((await traceOf({ product: { data: record('a') } }))?.key).toBe(trace?.key);
    expect((await traceOf({ product: { data: record('b') } }))?.key).not.toBe(trace?.key);
  });

  it('names it, at any depth', async () => {
    const given = (date: string) => ({ list: [{ name: 'Roof', since: new Date(date), none: undefined, no: null }] });
    const trace = await traceOf(given('2026-01-01'));
    expect(trace?.key).toBeDefined();
    expect((await traceOf(given('2026-01-01')))?.key).toBe(trace?.key);
    expect((await traceOf(given('2026-01-02')))?.key).not.toBe(trace?.key);
    if (!trace) throw new Error('There is no trace.');
    expect(openTracer(recorder).keyNow(trace, given('2026-01-01'))).toBe(trace.key);
    expect(openTracer(recorder).keyNow(trace, given('2026-01-02'))).not.toBe(trace.key);
  });

  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  class Counter {
    #count = 1;
    next(): number {
      return this.#count++;
    }
  }

  it.each([
    ['a map', new Map([['a', 1]])],
    ['a set', new Set([1])],
    ['a function', () => 1],
    ['a symbol', Symbol('a')],
    ['what a class keeps to itself', new Counter()],
    ['a bigint', 1n],
    ['a number without an end', Infinity],
    ['a date that is none', new Date('never')],
    ['nothing in a list', [undefined]],
    ['an object that contains itself', cycle],
  ])('does not name it where JSON says nothing of %s', async (_, value) => {
    expect(await traceOf({ list: [{ value }] })).toBeUndefined();
  });
});
