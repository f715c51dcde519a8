import {
  createApplicationPassword,
  createUser as addUser,
  deleteApplicationPassword,
  deleteApplicationPasswords,
  deleteMe,
  deleteUser as removeUser,
  getApplicationPassword,
  getMe,
  getUser,
  introspectApplicationPassword,
  listApplicationPasswords,
  listUsers,
  updateApplicationPassword,
  updateMe,
  updateUser as changeUser,
} from '#contracts/core/user-routes.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/route-registry.ts';
import { requireUser } from '#origin/platform/http/transport/call.ts';
import { getResource } from '#origin/platform/content/resources/resource.ts';
import {
  handleGetPassword,
  handleIntrospectPassword,
  handleListPasswords,
  authorizeIntrospection,
  authorizePasswords,
  handleCreatePassword,
  handleDeletePassword,
  handleDeletePasswords,
  handleUpdatePassword,
} from './users/application-passwords.ts';
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
  registry.serve(listUsers, listUserPage, { permit: authorizeUserList });
  registry.serve(addUser, createUser, { permit: authorizeUserCreate });
  registry.serve(getUser, (call) => getResource(call, users), { permit: authorizeUserRead });
  registry.serve(changeUser, (call) => updateUser(call, call.params.id), { permit: authorizeUserUpdate });
  registry.serve(removeUser, (call) => deleteUser(call, call.params.id), { permit: authorizeUserDelete });
  registry.serve(getMe, getCurrentUser);
  registry.serve(updateMe, (call) => updateUser(call, requireUser(call.caller).id), { permit: authorizeSelfUpdate });
  registry.serve(deleteMe, (call) => deleteUser(call, requireUser(call.caller).id), { permit: authorizeSelfDelete });

  registry.serve(listApplicationPasswords, handleListPasswords, {
    permit: authorizePasswords('rest_cannot_list_application_passwords'),
  });
  registry.serve(createApplicationPassword, handleCreatePassword, {
    permit: authorizePasswords('rest_cannot_create_application_passwords'),
  });
  registry.serve(deleteApplicationPasswords, handleDeletePasswords, {
    permit: authorizePasswords('rest_cannot_delete_application_passwords'),
  });
  registry.serve(introspectApplicationPassword, handleIntrospectPassword, { permit: authorizeIntrospection });
  registry.serve(getApplicationPassword, handleGetPassword, {
    permit: authorizePasswords('rest_cannot_read_application_password'),
  });
  registry.serve(updateApplicationPassword, handleUpdatePassword, {
    permit: authorizePasswords('rest_cannot_edit_application_password'),
  });
  registry.serve(deleteApplicationPassword, handleDeletePassword, {
    permit: authorizePasswords('rest_cannot_delete_application_password'),
  });
}
