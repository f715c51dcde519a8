import { cacheByObject } from '../cache.ts';
import { recordRead, trackedQuery, type QuerySource } from './tracked-queries.ts';
import { renderContext, type CollectionEntries } from './render-context.ts';

type Entry = CollectionEntries[number];

/** A collection of Astro's content store whose entries are elsewhere, and recorded when a page reads them. */
export abstract class RecordedCollection<T> extends Map<string, T> {
  abstract override get(id: string): T | undefined;
  protected abstract all(): Map<string, T>;

  override has(id: string): boolean {
    return this.get(id) !== undefined;
  }

  override keys() {
    return this.all().keys();
  }

  override values() {
    return this.all().values();
  }

  override entries() {
    return this.all().entries();
  }
}

/**
 * Replaces Astro's content store in a cached bundle, whose own store contains an earlier snapshot. Provides the
 * collections of the current build and records what pages read of them.
 */
class CollectionStore extends Map<string, Map<string, Entry>> {
  override has(name: string): boolean {
    return super.has(name) || entriesOf(name) !== undefined;
  }

  override get(name: string): Map<string, Entry> | undefined {
    return super.get(name) ?? (this.has(name) ? new StoredCollection(name) : undefined);
  }
}

class StoredCollection extends RecordedCollection<Entry> {
  readonly #name: string;

  constructor(name: string) {
    super();
    this.#name = name;
  }

  override get(id: string): Entry | undefined {
    recordRead('entry', [this.#name, id], () => describeEntry(this.#name, id));
    return entriesById(this.#name).get(id);
  }

  protected override all(): Map<string, Entry> {
    recordRead('collection', [this.#name], () => describeCollection(this.#name));
    return entriesById(this.#name);
  }
}

const ownSource = (name: string): readonly QuerySource[] => [name];
trackedQuery('collection', ownSource, (_: unknown, name: string) => describeCollection(name));
trackedQuery(
  'entry',
  (...[name]: [name: string, id: string]) => ownSource(name),
  (_: unknown, name: string, id: string) => describeEntry(name, id),
);

/** Returns the digests of a collection's entries. The result is cached per list of entries, and so is its digest. */
export function describeCollection(name: string): unknown {
  const entries = entriesOf(name);
  return entries && describeAll(entries);
}

const describeAll = cacheByObject((entries: CollectionEntries) => entries.map(describe));

function describeEntry(name: string, id: string): unknown {
  const entry = entriesById(name).get(id);
  return entry && describe(entry);
}

const describe = ({ id, data, digest }: Entry): unknown => [id, digest ?? data];

const mapById = cacheByObject((entries: CollectionEntries) => new Map(entries.map((entry) => [entry.id, entry])));
const entriesById = (name: string) => mapById(entriesOf(name) ?? []);

function entriesOf(name: string): CollectionEntries | undefined {
  return renderContext.current?.provided?.get(name);
}

/** Imported by the module that replaces Astro's content store in the bundle. */
export const collectionStore = new CollectionStore();
