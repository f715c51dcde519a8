import { and, eq } from 'drizzle-orm';
import type { z } from 'zod';
import type { categoryBody } from '#contracts/core/index.ts';
import type { AnyCall, Refuse } from '#origin/platform/http/transport/index.ts';
import type { Transaction } from '#origin/platform/store/index.ts';
import { term } from '#origin/platform/store/schema.ts';
import { runAside } from '#origin/platform/render/aside/index.ts';
import { plainText } from '#origin/platform/render/index.ts';
import type { TermRow } from '#origin/platform/content/load-terms.ts';
import type { TermKind } from '#origin/platform/registry/term-kind.ts';

/** What may be sent to write a term; tags know no parent. */
export type WrittenTerm = z.output<typeof categoryBody>;
export type TermWritingCall = AnyCall<'empty_term_name' | 'rest_term_invalid'> & { body: WrittenTerm };

/** A name without markup. @throws when nothing is left of it */
export function readTermName(sent: string, { refuse }: TermWritingCall): string {
  const name = plainText(sent);
  if (name === '') throw refuse('empty_term_name', 'A term needs a name.');
  return name;
}

/** Filtered whoever writes it: a term is shown in many places, and nobody needs scripts there. */
export function readTermDescription(sent: string): Promise<string> {
  return runAside('filterInline', sent);
}

/** The categories above a new parent, the nearest first. @throws when there is no such parent */
export async function loadTermsAbove(
  tx: Transaction,
  { refuse }: { refuse: Refuse<'rest_term_invalid'> },
  { taxonomy }: TermKind,
  parentId: number,
): Promise<TermRow[]> {
  const above: TermRow[] = [];
  for (let id = parentId; id !== 0; id = above.at(-1)?.parentId ?? 0) {
    const [row] = await tx
      .select()
      .from(term)
      .where(and(eq(term.id, id), eq(term.taxonomy, taxonomy)))
      .limit(1);
    if (!row && above.length === 0)
      throw refuse('rest_term_invalid', 'There is no term to be its parent.', { status: 400 });
    if (!row || above.some((seen) => seen.id === row.id)) break;
    above.push(row);
  }
  return above;
}
