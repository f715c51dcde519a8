import type { z } from 'zod';
import { getUser, listUsers } from '#contracts/core/routes.ts';
import { user as userResource } from '#contracts/core/user.ts';
import type { Context } from '#contracts/core/field.ts';
import { fillPath } from '#contracts/index.ts';
import { getAuthorUrl } from '#origin/platform/content/content-url.ts';
import { avatarUrls } from '#origin/platform/accounts/avatars.ts';
import { type UserRow, toProfile } from '#origin/platform/accounts/users.ts';
import type { Links } from '#origin/platform/content/row-links.ts';
import { can } from '#origin/platform/http/callers/caller.ts';
import { presentFields } from '#origin/platform/http/present-fields.ts';
import type { AnyCall, SelectedFields } from '#origin/platform/http/transport/index.ts';
import { listCapabilities } from '#origin/platform/registry/permissions.ts';
import { replaceSiteUrl, type Site } from '#origin/platform/site/load-site.ts';

export interface UserView {
  call: AnyCall;
  context: Context;
  site: Site;
}

/** Converts a user row to JSON, with the fields that the context allows. */
export function presentUser(row: UserRow, view: UserView): SelectedFields<z.input<typeof userResource>> {
  const { call, site } = view;
  const profile = toProfile(row);
  return presentFields(
    userResource,
    {
      id: () => row.id,
      username: () => row.login,
      name: () => row.name,
      first_name: () => profile.first_name,
      last_name: () => profile.last_name,
      email: () => row.email,
      url: () => replaceSiteUrl(row.url, site.url, call.addresses.site),
      description: () => row.description,
      link: () => getAuthorUrl(row, call.addresses.site),
      locale: () => profile.locale,
      nickname: () => profile.nickname,
      slug: () => row.slug,
      roles: () => [row.role],
      registered_date: () => row.registeredAt.toISOString().replace(/\.\d+Z$/, '+00:00'),
      capabilities: () =>
        Object.fromEntries(listCapabilities(row.role, call.context.permissions[row.role]).map((name) => [name, true])),
      extra_capabilities: () => ({ [row.role]: true }),
      avatar_urls: () => (site.avatars ? avatarUrls(row.email) : undefined),
      meta: () => [] as [],
      _links: () => linkUser(row, call),
    },
    view,
  );
}

function linkUser(row: UserRow, { addresses, caller, methodsOn }: AnyCall): Links {
  const isOwn = caller.user?.id === row.id;
  const allow = methodsOn(getUser.path).filter(
    (method) =>
      method === 'GET' || (method === 'DELETE' ? can(caller, 'delete_users') : isOwn || can(caller, 'edit_users')),
  );
  return {
    self: [{ href: addresses.rest(fillPath(getUser.path, { id: row.id })), targetHints: { allow } }],
    collection: [{ href: addresses.rest(listUsers.path) }],
  };
}
