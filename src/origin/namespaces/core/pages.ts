import { navigationMenuRoutes, pageRoutes } from '#contracts/core/routes.ts';
import { presentNavigationMenu, presentPage } from '#origin/platform/content/present-content.ts';
import type { ServedKind } from '#origin/platform/content/serve-content.ts';
import { CONTENT_KINDS } from '#origin/platform/registry/content-kind.ts';

export const pages: ServedKind<typeof pageRoutes> = {
  ...CONTENT_KINDS.page,
  routes: pageRoutes,
  present: presentPage,
  list: ({ query }) => ({
    filter: { parents: query.parent, notParents: query.parent_exclude, menuOrder: query.menu_order },
    asTree: query.orderby_hierarchy,
  }),
};

export const navigationMenus: ServedKind<typeof navigationMenuRoutes> = {
  ...CONTENT_KINDS.wp_navigation,
  routes: navigationMenuRoutes,
  present: presentNavigationMenu,
};
