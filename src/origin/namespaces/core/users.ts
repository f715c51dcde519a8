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
} from '#contracts/core/index.ts';
import type { RouteRegistry } from '#origin/platform/http/transport/index.ts';
import { requireUser } from '#origin/platform/http/transport/require-user.ts';
import { answerMe, answerUser, permitUser, answerUsers, permitUsers } from './users/answer-users.ts';
import {
  answerPassword,
  answerPasswordInUse,
  answerPasswords,
  permitIntrospection,
  permitPasswords,
  addPassword,
  removePassword,
  removePasswords,
  renamePassword,
} from './users/application-passwords.ts';
import { deleteUser } from './users/delete-user.ts';
import {
  permitNewUser,
  permitOwnChange,
  permitOwnDeletion,
  permitUserChange,
  permitUserDeletion,
} from './users/permit-user-writing.ts';
import { updateUser } from './users/update-user.ts';
import { createUser } from './users/write-users.ts';

/** Serves users and their application passwords. */
export function serveUsers(registry: RouteRegistry): void {
  registry.serve(listUsers, answerUsers, { permit: permitUsers });
  registry.serve(addUser, createUser, { permit: permitNewUser });
  registry.serve(getUser, answerUser, { permit: permitUser });
  registry.serve(changeUser, (call) => updateUser(call, call.params.id), { permit: permitUserChange });
  registry.serve(removeUser, (call) => deleteUser(call, call.params.id), { permit: permitUserDeletion });
  registry.serve(getMe, answerMe);
  registry.serve(updateMe, (call) => updateUser(call, requireUser(call.caller).id), { permit: permitOwnChange });
  registry.serve(deleteMe, (call) => deleteUser(call, requireUser(call.caller).id), { permit: permitOwnDeletion });

  registry.serve(listApplicationPasswords, answerPasswords, {
    permit: permitPasswords('rest_cannot_list_application_passwords'),
  });
  registry.serve(createApplicationPassword, addPassword, {
    permit: permitPasswords('rest_cannot_create_application_passwords'),
  });
  registry.serve(deleteApplicationPasswords, removePasswords, {
    permit: permitPasswords('rest_cannot_delete_application_passwords'),
  });
  registry.serve(introspectApplicationPassword, answerPasswordInUse, { permit: permitIntrospection });
  registry.serve(getApplicationPassword, answerPassword, {
    permit: permitPasswords('rest_cannot_read_application_password'),
  });
  registry.serve(updateApplicationPassword, renamePassword, {
    permit: permitPasswords('rest_cannot_edit_application_password'),
  });
  registry.serve(deleteApplicationPassword, removePassword, {
    permit: permitPasswords('rest_cannot_delete_application_password'),
  });
}
