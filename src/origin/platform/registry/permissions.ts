import { role, type Role } from '#contracts/core/user.ts';
import {
  CONTENT_ACTIONS,
  CONTENT_KINDS,
  type ContentAction,
  type ContentKind,
  type ContentKinds,
  type ChangeListener,
} from './content-kind.ts';
import { getRoleRights, type Right, type RightsByRole } from './rights.ts';

/** Registrations of a namespace that affect the platform and other namespaces. */
export interface Registration {
  contentKinds?: readonly ContentKind[];
  rights?: RightsByRole;
  /** Notified of every write of content, terms and users. */
  follower?: ChangeListener;
}

/** Merged registrations of a site. */
export interface SiteRegistry {
  kinds: ContentKinds;
  permissions: Readonly<Record<Role, Permissions>>;
  followers: readonly ChangeListener[];
}

/** Rights of the users of a role. */
export interface Permissions {
  rights: ReadonlySet<Right>;
  /** Allowed actions by content type. */
  content: ReadonlyMap<string, ReadonlySet<ContentAction>>;
}

/** Merges the content kinds and role permissions of every site with those of namespaces. */
export function registerAll(registrations: readonly Registration[]): SiteRegistry {
  const added = registrations.flatMap(({ contentKinds = [] }) => contentKinds);
  const kinds = new Map([...Object.values(CONTENT_KINDS), ...added].map((kind) => [kind.type, kind]));
  const permissionsOf = (name: Role): Permissions => {
    // Roles are sorted from highest to lowest.
    const included = role.options.slice(role.options.indexOf(name));
    const addedRights = registrations.flatMap(({ rights = {} }) => included.flatMap((below) => rights[below] ?? []));
    const rights = new Set([...getRoleRights(name), ...addedRights]);
    const actions = [...kinds.values()].map((kind) => [kind.type, actionsOf(kind, rights)] as const);
    // Revisions of all types have the rights of posts.
    return { rights, content: new Map([...actions, ['revision', actionsOf(CONTENT_KINDS.post, rights)]]) };
  };
  return {
    kinds,
    followers: registrations.flatMap(({ follower = [] }) => follower),
    permissions: {
      subscriber: permissionsOf('subscriber'),
      contributor: permissionsOf('contributor'),
      author: permissionsOf('author'),
      editor: permissionsOf('editor'),
      administrator: permissionsOf('administrator'),
    },
  };
}

function actionsOf({ rights: needed }: ContentKind, rights: ReadonlySet<Right>): ReadonlySet<ContentAction> {
  return new Set(CONTENT_ACTIONS.filter((action) => rights.has(needed[action])));
}

/** Highest user level of each role. Stock servers list levels among the capabilities, and clients read them. */
const TOP_LEVELS: Record<Role, number> = { subscriber: 0, contributor: 1, author: 2, editor: 7, administrator: 10 };

/** Lists the capabilities of a role as the interface does: rights, levels and the role itself. */
export function listCapabilities(name: Role, { rights }: Permissions): string[] {
  const levels = Array.from({ length: TOP_LEVELS[name] + 1 }, (_, level) => `level_${level}`).toReversed();
  return [...rights, ...levels, name];
}
