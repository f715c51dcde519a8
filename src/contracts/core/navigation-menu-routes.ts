import { z } from 'zod';
import { route } from '../route.ts';
import { navigationMenuQuery, postItemQuery } from './collection-query.ts';
import { navigationMenu, navigationMenuBody } from './navigation-menu.ts';
import { navigationMenuAutosave, navigationMenuRevision } from './revision.ts';
import {
  createPage,
  deleted,
  deletePage,
  deletePageRevision,
  getPage,
  getPageAutosave,
  getPageRevision,
  listPageAutosaves,
  listPageRevisions,
  listPages,
  savePageDraft,
  updatePage,
} from './routes.ts';

/** Navigation menus are kept as pages are: each route takes and refuses what that of pages does. */

export const listNavigationMenus = route({
  ...listPages,
  path: 'core/v2/navigation',
  summary: 'Navigation menus',
  query: navigationMenuQuery,
  response: z.array(navigationMenu),
});
export const getNavigationMenu = route({
  ...getPage,
  path: 'core/v2/navigation/<id>',
  summary: 'A navigation menu',
  query: postItemQuery.omit({ excerpt_length: true }),
  response: navigationMenu,
});
export const createNavigationMenu = route({
  ...createPage,
  path: 'core/v2/navigation',
  summary: 'Makes a new navigation menu',
  body: navigationMenuBody,
  response: navigationMenu,
});
export const updateNavigationMenu = route({
  ...updatePage,
  path: 'core/v2/navigation/<id>',
  summary: 'Changes what is sent of a navigation menu',
  body: navigationMenuBody,
  response: navigationMenu,
});
export const deleteNavigationMenu = route({
  ...deletePage,
  path: 'core/v2/navigation/<id>',
  summary: 'Moves a navigation menu to the trash, or deletes it for good',
  response: z.union([navigationMenu, deleted(navigationMenu)]),
});

export const listNavigationMenuRevisions = route({
  ...listPageRevisions,
  path: 'core/v2/navigation/<parent>/revisions',
  summary: 'States a navigation menu was in',
  response: z.array(navigationMenuRevision),
});
export const getNavigationMenuRevision = route({
  ...getPageRevision,
  path: 'core/v2/navigation/<parent>/revisions/<id>',
  summary: 'A state a navigation menu was in',
  response: navigationMenuRevision,
});
export const deleteNavigationMenuRevision = route({
  ...deletePageRevision,
  path: 'core/v2/navigation/<parent>/revisions/<id>',
  summary: 'Forgets a state a navigation menu was in',
  response: deleted(navigationMenuRevision),
});

export const listNavigationMenuAutosaves = route({
  ...listPageAutosaves,
  path: 'core/v2/navigation/<id>/autosaves',
  summary: 'What users have changed in a navigation menu and not saved yet',
  response: z.array(navigationMenuAutosave),
});
export const saveNavigationMenuDraft = route({
  ...savePageDraft,
  path: 'core/v2/navigation/<id>/autosaves',
  summary: 'Keeps what a user has changed in a navigation menu',
  body: navigationMenuBody,
  response: navigationMenuAutosave,
});
export const getNavigationMenuAutosave = route({
  ...getPageAutosave,
  path: 'core/v2/navigation/<parent>/autosaves/<id>',
  summary: 'The newest autosave of a navigation menu',
  response: navigationMenuAutosave,
});
