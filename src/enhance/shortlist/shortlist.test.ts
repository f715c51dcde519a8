import { afterEach, describe, expect, it, vi } from 'vitest';
import { readStored, writeStored } from '../storage.ts';
import { parseItems, shareQuery } from './start-shortlist.ts';

const [VARIO, UNI] = ['9524010000016', '9524010000085'];

describe('parseItems', () => {
  it('lists each entry once, in order', () => {
    expect(parseItems(`${UNI}, ${VARIO},,${UNI},`)).toEqual([UNI, VARIO]);
    expect(parseItems(null)).toEqual([]);
  });

  it('shortens what is no GTIN, and does not turn it into one', () => {
    expect(parseItems(`<img src=x onerror=alert(1)>,${VARIO}99`)).toEqual(['<img src=x onerror=a', `${VARIO}99`]);
  });

  it('reads a huge address at once', () => {
    const many = Array.from({ length: 20_000 }, (_, i) => String(9_524_010_000_000 + i));
    expect(parseItems(many.join(','))).toEqual(many);
  });
});

it('reads again what it shares', () => {
  for (const items of [[], [VARIO, UNI], ['<b>&add=1', '%2C']])
    expect(parseItems(new URLSearchParams(shareQuery(items)).get('items'))).toEqual(items);
  expect(shareQuery([VARIO, UNI])).toBe(`?items=${VARIO},${UNI}`);
});

describe('the storage', () => {
  afterEach(() => void vi.unstubAllGlobals());

  it('returns what was stored, until it is removed', () => {
    const values = new Map<string, string>();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => values.get(key) ?? null,
      setItem: (key: string, value: string) => values.set(key, value),
      removeItem: (key: string) => values.delete(key),
    });
    expect(writeStored('shortlist', VARIO)).toBe(true);
    expect(readStored('shortlist')).toBe(VARIO);
    expect(writeStored('shortlist', undefined)).toBe(true);
    expect(readStored('shortlist')).toBeNull();
  });

  it('says that a browser does not store', () => {
    const block = (): never => {
      throw new DOMException('denied', 'SecurityError');
    };
    vi.stubGlobal('localStorage', { getItem: block, setItem: block, removeItem: block });
    expect(readStored('shortlist')).toBeNull();
    expect([writeStored('shortlist', VARIO), writeStored('shortlist', undefined)]).toEqual([false, false]);
  });
});
