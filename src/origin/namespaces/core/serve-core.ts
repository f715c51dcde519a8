import type { RouteRegistry } from '#origin/platform/http/transport/index.ts';
import { serveComments } from './comments.ts';
import { serveMedia } from './media.ts';
import { serveNavigationMenus } from './navigation-menus.ts';
import { servePages } from './pages.ts';
import { servePosts } from './posts.ts';
import { serveRevisions } from './revisions.ts';
import { serveSearch } from './search-results.ts';
import { serveSiteResources } from './site-resources.ts';
import { serveTerms } from './terms.ts';
import { serveUsers } from './users.ts';

/** Serves the `core/v2` namespace. */
export function serveCore(registry: RouteRegistry): void {
  servePosts(registry);
  servePages(registry);
  serveMedia(registry);
  serveNavigationMenus(registry);
  serveRevisions(registry);
  serveTerms(registry);
  serveUsers(registry);
  serveComments(registry);
  serveSearch(registry);
  serveSiteResources(registry);
}
