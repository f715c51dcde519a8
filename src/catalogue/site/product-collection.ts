import { inspect } from 'node:util';
import { SortimentError } from '#contracts/index.ts';
import type { ProductListEntry, ProductEntry } from '#catalogue/entries/entries.ts';
import type { ListedColumns, ProductIndex } from '../read-model/product-index.ts';
import { cacheByObject } from '../cache.ts';
import { RecordedCollection } from './collection-store.ts';
import { recordRead, trackedQuery } from './tracked-queries.ts';
import { RECORD_DIGEST, renderContext } from './render-context.ts';

interface Entry {
  id: string;
  data: object;
  digest: string | undefined;
}

/**
 * Collection `products` in Astro's content store, with the IDs `<language>/<gtin>`. Records are read lazily from the
 * snapshot. Astro's own store would hold up to a hundred thousand of them in memory.
 */
class ProductCollection extends RecordedCollection<Entry> {
  override get(id: string): Entry | undefined {
    recordRead('record', [id], () => findDigest(id));
    const data = readRecord(id);
    return data && { id, data, digest: findDigest(id) };
  }

  protected override all(): Map<string, Entry> {
    const index = productIndex();
    recordRead('records', [], () => index?.revision());
    return index ? listEntries(index) : new Map<string, Entry>();
  }
}

trackedQuery('record', ['products'], (_: unknown, id: string) => findDigest(id));
trackedQuery('records', ['products'], () => productIndex()?.revision());

/** Entries by ID, cached per state of the product index. */
const listEntries = cacheByObject((index: ProductIndex) => {
  const list = new Map<string, Entry>();
  for (const { id, digest, columns } of index.columns()) {
    Object.setPrototypeOf(columns, INSPECTED);
    const entry: Entry = { id, digest, data: columns };
    entry.data = new Proxy<object>(columns, new LazyRecord(entry));
    list.set(id, entry);
  }
  return list;
});

/** `console.log` inspects the target of a proxy, which may have only the columns. */
const INSPECTED = {
  [inspect.custom](): object {
    return { ...this };
  },
};

/** The record read last. Retaining every record would take gigabytes on a page that lists all products. */
let lastRead: { entry: Entry; record: ProductEntry } | undefined;

/** Reads a record on access to a field that isn't a column of the product index. */
class LazyRecord implements ProxyHandler<ListedColumns> {
  readonly #entry: Entry;

  constructor(entry: Entry) {
    this.#entry = entry;
  }

  get(columns: ListedColumns, key: string | symbol): unknown {
    if (key === RECORD_DIGEST) return this.#entry.digest;
    // `JSON.stringify` reads `toJSON` of every object.
    return Reflect.get(key in columns || key === 'toJSON' ? columns : this.#read(), key);
  }

  has(columns: ListedColumns, key: string | symbol): boolean {
    return key in columns || key in this.#read();
  }

  ownKeys(columns: ListedColumns): (string | symbol)[] {
    return [...new Set([...Reflect.ownKeys(columns), ...Reflect.ownKeys(this.#read())])];
  }

  getOwnPropertyDescriptor(columns: ListedColumns, key: string | symbol): PropertyDescriptor | undefined {
    return Reflect.getOwnPropertyDescriptor(key in columns ? columns : this.#read(), key);
  }

  getPrototypeOf(): object {
    return Object.prototype;
  }

  #read(): ProductEntry {
    const entry = this.#entry;
    if (lastRead?.entry !== entry) lastRead = { entry, record: readRecord(entry.id) ?? failToRead(entry.id) };
    return lastRead.record;
  }
}

function failToRead(id: string): never {
  throw new SortimentError('SNAPSHOT_CHANGED', `Product ${id} is missing from the snapshot.`, {
    hint: 'A sync removed it during the build. Try again.',
  });
}

function readRecord(id: string): ProductEntry | undefined {
  const listed = findListed(id);
  return listed && renderContext.current?.readProduct?.(listed);
}

function findDigest(id: string): string | undefined {
  const listed = findListed(id);
  return listed && productIndex()?.digestOf(listed);
}

function findListed(id: string): ProductListEntry | undefined {
  const [, language = '', gtin = ''] = /^(.+)\/(\d+)$/.exec(id) ?? [];
  return productIndex()?.product(language, gtin);
}

function productIndex(): ProductIndex | undefined {
  return renderContext.current?.productIndex?.();
}

/** Added to Astro's content store wherever pages are rendered. */
export const productCollection = new ProductCollection();
