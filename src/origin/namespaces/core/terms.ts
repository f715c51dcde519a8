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
} from '#contracts/core/routes.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/index.ts';
import { CATEGORY, TAG } from '#origin/platform/registry/content-kind.ts';
import { handleGetTerm, handleListTerms, authorizeTermRead, authorizeTermList } from './terms/read-terms.ts';
import {
  createTerm,
  deleteTerm,
  authorizeTermCreate,
  authorizeTermUpdate,
  authorizeTermDelete,
  updateTerm,
} from './terms/write-terms.ts';

export function serveTerms(registry: RouteRegistry): void {
  registry.serve(listCategories, (call) => handleListTerms(call, CATEGORY, call.query), { permit: authorizeTermList });
  registry.serve(createCategory, (call) => createTerm(call, CATEGORY), { permit: authorizeTermCreate(CATEGORY) });
  registry.serve(getCategory, (call) => handleGetTerm(call, CATEGORY), { permit: authorizeTermRead(CATEGORY) });
  registry.serve(updateCategory, (call) => updateTerm(call, CATEGORY), { permit: authorizeTermUpdate(CATEGORY) });
  registry.serve(deleteCategory, (call) => deleteTerm(call, CATEGORY), { permit: authorizeTermDelete(CATEGORY) });
  registry.serve(listTags, (call) => handleListTerms(call, TAG, call.query), { permit: authorizeTermList });
  registry.serve(createTag, (call) => createTerm(call, TAG), { permit: authorizeTermCreate(TAG) });
  registry.serve(getTag, (call) => handleGetTerm(call, TAG), { permit: authorizeTermRead(TAG) });
  registry.serve(updateTag, (call) => updateTerm(call, TAG), { permit: authorizeTermUpdate(TAG) });
  registry.serve(deleteTag, (call) => deleteTerm(call, TAG), { permit: authorizeTermDelete(TAG) });
}
