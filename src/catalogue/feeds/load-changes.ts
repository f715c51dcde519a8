import type { ChangeEntry } from '#model/change-entry.ts';
import { readCollection } from '../site/read-collection.ts';

/** A run that changed the catalogue. */
export interface ChangeRun extends ChangeEntry {
  id: string;
}

/** The last runs that changed the catalogue, newest first. */
export async function loadChanges(): Promise<ChangeRun[]> {
  const entries = await readCollection('changes');
  return entries
    .map(({ id, data }) => ({ id, ...data }))
    .toSorted((a, b) => b.at.getTime() - a.at.getTime() || (a.id < b.id ? 1 : -1));
}
