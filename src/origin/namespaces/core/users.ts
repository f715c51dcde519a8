import * as routes from '#contracts/core/user-routes.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import { requireUser } from '#origin/platform/http/transport/call.ts';
import { getResource } from '#origin/platform/content/resources/resource.ts';
import { serveApplicationPasswords } from './users/application-passwords.ts';
import { authorizeUserList, authorizeUserRead, getCurrentUser, listUserPage, users } from './users/find-users.ts';
import {
  authorizeSelfDelete,
  authorizeSelfUpdate,
  authorizeUserCreate,
  authorizeUserDelete,
  authorizeUserUpdate,
  createUser,
  deleteUser,
  updateUser,
} from './users/write-users.ts';

/** Serves users and their application passwords. */
export function serveUsers(registry: RouteRegistry): void {
  registry.serve(routes.listUsers, listUserPage, { permit: authorizeUserList });
  registry.serve(routes.createUser, createUser, { permit: authorizeUserCreate });
  registry.serve(routes.getUser, (call) => getResource(call, users), { permit: authorizeUserRead });
  registry.serve(routes.updateUser, (call) => updateUser(call, call.params.id), { permit: authorizeUserUpdate });
  registry.serve(routes.deleteUser, (call) => deleteUser(call, call.params.id), { permit: authorizeUserDelete });
  registry.serve(routes.getMe, getCurrentUser);
  registry.serve(routes.updateMe, (call) => updateUser(call, requireUser(call.caller).id), {
    permit: authorizeSelfUpdate,
  });
  registry.serve(routes.deleteMe, (call) => deleteUser(call, requireUser(call.caller).id), {
    permit: authorizeSelfDelete,
  });
  serveApplicationPasswords(registry);
}
