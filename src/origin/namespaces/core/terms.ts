import {
  createCategory,
  createTag,
  deleteCategory,
  deleteTag,
  getCategory,
  getTag,
  listCategories,
  listTags,
  updateCategory,
  updateTag,
} from '#contracts/core/index.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/index.ts';
import { CATEGORY, TAG } from '#origin/platform/registry/term-kind.ts';
import { answerTerm, answerTerms, permitTerm, permitTerms } from './terms/answer-terms.ts';
import {
  createTerm,
  deleteTerm,
  permitNewTerm,
  permitTermChange,
  permitTermDeletion,
  updateTerm,
} from './terms/write-terms.ts';

export function serveTerms(registry: RouteRegistry): void {
  registry.serve(listCategories, (call) => answerTerms(call, CATEGORY, call.query), { permit: permitTerms });
  registry.serve(createCategory, (call) => createTerm(call, CATEGORY), { permit: permitNewTerm(CATEGORY) });
  registry.serve(getCategory, (call) => answerTerm(call, CATEGORY), { permit: permitTerm(CATEGORY) });
  registry.serve(updateCategory, (call) => updateTerm(call, CATEGORY), { permit: permitTermChange(CATEGORY) });
  registry.serve(deleteCategory, (call) => deleteTerm(call, CATEGORY), { permit: permitTermDeletion(CATEGORY) });
  registry.serve(listTags, (call) => answerTerms(call, TAG, call.query), { permit: permitTerms });
  registry.serve(createTag, (call) => createTerm(call, TAG), { permit: permitNewTerm(TAG) });
  registry.serve(getTag, (call) => answerTerm(call, TAG), { permit: permitTerm(TAG) });
  registry.serve(updateTag, (call) => updateTerm(call, TAG), { permit: permitTermChange(TAG) });
  registry.serve(deleteTag, (call) => deleteTerm(call, TAG), { permit: permitTermDeletion(TAG) });
}
