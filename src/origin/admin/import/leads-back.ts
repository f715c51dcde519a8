import { loadTermsAbove } from '#origin/namespaces/core/terms/written-term.ts';
import { CATEGORY } from '#origin/platform/registry/term-kind.ts';
import { loadAncestors } from '#origin/platform/content/load-ancestors.ts';
import { refuseRecord } from './read-wire.ts';
import type { Transaction } from '#origin/platform/store/index.ts';

/** Whether a row of content would hang on itself below a parent. */
export async function contentLeadsBack(tx: Transaction, id: number, parentId: number): Promise<boolean> {
  return parentId !== 0 && (await loadAncestors(tx, [{ parentId }])).has(id);
}

/** Whether a category would. */
export async function categoryLeadsBack(tx: Transaction, id: number, parentId: number): Promise<boolean> {
  return (
    parentId !== 0 &&
    (await loadTermsAbove(tx, { refuse: refuseRecord }, CATEGORY, parentId)).some((above) => above.id === id)
  );
}
