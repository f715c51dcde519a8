import { describe, expect, it } from 'vitest';
import { defineConfig } from '#config/index.ts';
import type { RecordCount, Removal, StagedChange } from '#snapshot/index.ts';
import { guardRun, type GuardInput } from './guard-run.ts';

const limits = defineConfig({
  site: { name: 'Test' },
  maker: { name: 'Test', address: ['Test'], email: 'test@test.example' },
  mainLanguage: 'de-de',
}).sync.guard;

const removals = (count: number, kind: Removal['kind'] = 'product', language = 'de-de'): Removal[] =>
  Array.from({ length: count }, (_, i) => ({
    kind,
    id: String(i),
    language: kind === 'product' ? language : undefined,
    reason: 'gone',
  }));
const known = (count: number, kind: RecordCount['kind'] = 'product', language = 'de-de'): RecordCount => ({
  kind,
  language: kind === 'product' ? language : undefined,
  count,
});
const changes = (count: number, before: object, after: object, language = 'de-de'): StagedChange[] =>
  Array.from({ length: count }, (_, i) => ({
    kind: 'product',
    id: String(i),
    language,
    change: 'changed',
    before,
    after,
  }));

const guard = (input: Partial<GuardInput>) => () =>
  guardRun({ removals: [], changes: [], known: [], limits, accept: undefined, ...input });
const refused = expect.objectContaining({ code: 'CHANGES_REFUSED' });

function digestOf(run: () => void): string {
  try {
    run();
  } catch (error) {
    return /--accept (\w+)/.exec((error as { hint: string }).hint)?.[1] ?? '';
  }
  throw new Error('It was not refused.');
}

describe('removals', () => {
  it.each([
    [3, 4, true],
    [4, 4, false],
    [3, 30, true],
    [4, 30, false],
    [10, 100, true],
    [11, 100, false],
    [0, 0, true],
  ])('%i of %i: %s', (count, all, passes) => {
    const run = guard({ removals: removals(count), known: [known(all)] });
    if (passes) expect(run).not.toThrow();
    else expect(run).toThrow(refused);
  });

  it('count in each language for itself: a small language is not covered by a big one', () => {
    const all = [known(1000, 'product', 'de-de'), known(20, 'product', 'fr-fr')];
    expect(guard({ removals: removals(20, 'product', 'fr-fr'), known: all })).toThrow(
      /20 of 20 product records in fr-fr would be removed \(at most 3\)/,
    );
    expect(guard({ removals: removals(20, 'product', 'de-de'), known: all })).not.toThrow();
  });

  it('count in each kind for itself: many products don’t cover few posts', () => {
    const all = [known(1000), known(10, 'post')];
    expect(guard({ removals: removals(4, 'post'), known: all })).toThrow(/4 of 10 post records would be removed/);
  });

  it('of our own lists are our own business', () => {
    expect(guard({ removals: removals(9, 'family'), known: [known(9, 'family')] })).not.toThrow();
  });

  it('of a single language are refused: a site would go with it', () => {
    expect(guard({ removals: removals(1, 'language'), known: [known(30, 'language')] })).toThrow(
      /languages has shrunk/,
    );
  });
});

describe('fields', () => {
  it('that many products lose are refused, with what they held', () => {
    const run = guard({ changes: changes(21, { intro: 'Text' }, { intro: '' }), known: [known(100)] });
    expect(run).toThrow(/21 of 100 products would lose their intro \(at most 20\):\n\s+0 de-de: "Text"/);
    expect(guard({ changes: changes(20, { intro: 'Text' }, { intro: null }), known: [known(100)] })).not.toThrow();
    expect(guard({ changes: changes(90, { intro: 'a' }, { intro: 'b' }), known: [known(100)] })).not.toThrow();
  });

  it('of which many come back in another language are refused: a language would be gone', () => {
    const [before, after] = [{ language: 'fr-fr' }, { language: 'de-de' }];
    const all = [known(1000), known(20, 'product', 'fr-fr')];
    expect(guard({ changes: changes(10, before, after, 'fr-fr'), known: all })).toThrow(
      /10 of 20 products in fr-fr would lose their translation \(at most 4\):\n\s+0 fr-fr: in "de-de" now/,
    );
    expect(guard({ changes: changes(10, after, before, 'fr-fr'), known: all })).not.toThrow();
  });

  it('are counted by language too', () => {
    const all = [known(1000), known(20, 'product', 'fr-fr')];
    const lost = changes(10, { intro: 'Texte' }, { intro: '' }, 'fr-fr');
    expect(guard({ changes: lost, known: all })).toThrow(/10 of 20 products in fr-fr would lose their intro/);
  });
});

describe('prices', () => {
  it.each([
    ['doubled', 100, 200, false],
    ['a third more', 100, 133, true],
    ['cut to a tenth', '100.00', 10, false],
    ['made 0', 5, 0, false],
    ['set where there was none', undefined, 5, true],
    ['was 0', 0, 5, true],
  ])('%s', (_, before, after, passes) => {
    const run = guard({ changes: changes(21, { price: before }, { price: after }), known: [known(100)] });
    if (passes) expect(run).not.toThrow();
    else expect(run).toThrow(/21 of 100 products would move their price by more than 50 %/);
  });
});

describe('--accept', () => {
  it('lets exactly these changes through, in any order', () => {
    const all = [known(10)];
    const accept = digestOf(guard({ removals: removals(5), known: all }));
    expect(guard({ removals: removals(5).toReversed(), known: all, accept })).not.toThrow();
    expect(guard({ removals: removals(6), known: all, accept })).toThrow(refused);
    const price = { changes: changes(9, { price: 1 }, { price: 0 }), known: all };
    expect(guard({ removals: removals(5), ...price, accept })).toThrow(refused);
  });
});

it('a share of 1 turns a guard off', () => {
  const open = { ...limits, removed: 1, emptied: 1, repriced: 1 };
  expect(guard({ removals: removals(9), known: [known(9)], limits: open })).not.toThrow();
});
