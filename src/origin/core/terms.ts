import { getCategory, getTag, listCategories, listTags } from '../../contracts/core/index.ts';
import type { RouteRegistry } from '../publishing/transport/index.ts';
import { answerTerm, answerTerms, permitTerm, permitTerms } from './terms/answer-terms.ts';
import { CATEGORY, TAG } from './terms/term-kind.ts';

/** Serves categories and tags. */
export function serveTerms(registry: RouteRegistry): void {
  registry.serve(listCategories, (call) => answerTerms(call, CATEGORY, call.query), { permit: permitTerms });
  registry.serve(getCategory, (call) => answerTerm(call, CATEGORY), { permit: permitTerm(CATEGORY) });
  registry.serve(listTags, (call) => answerTerms(call, TAG, call.query), { permit: permitTerms });
  registry.serve(getTag, (call) => answerTerm(call, TAG), { permit: permitTerm(TAG) });
}
