import { role, type Role } from '#contracts/core/index.ts';
import {
  CONTENT_ACTIONS,
  CONTENT_KINDS,
  type ContentAction,
  type ContentKind,
  type ContentKinds,
} from './content-kind.ts';
import type { Follower } from './follow-changes.ts';
import { ownRights, type Right, type RightsByRole } from './rights.ts';

/** What a namespace adds to the site that the platform and other namespaces meet. */
export interface Registration {
  contentKinds?: readonly ContentKind[];
  rights?: RightsByRole;
  /** Told of every write of content, terms and users. */
  follower?: Follower;
}

/** Everything that is registered with a site. */
export interface SiteRegistry {
  kinds: ContentKinds;
  permissions: Readonly<Record<Role, Permissions>>;
  followers: readonly Follower[];
}

/** What the users of a role may do. */
export interface Permissions {
  rights: ReadonlySet<Right>;
  /** What they may do with content, by its type. */
  content: ReadonlyMap<string, ReadonlySet<ContentAction>>;
}

/** The kinds of content of a site and what each role may do there: what every site has, and what namespaces add. */
export function registerAll(registrations: readonly Registration[]): SiteRegistry {
  const added = registrations.flatMap(({ contentKinds = [] }) => contentKinds);
  const kinds = new Map([...Object.values(CONTENT_KINDS), ...added].map((kind) => [kind.type, kind]));
  const permissionsOf = (name: Role): Permissions => {
    // From the highest role to the lowest.
    const included = role.options.slice(role.options.indexOf(name));
    const further = registrations.flatMap(({ rights = {} }) => included.flatMap((below) => rights[below] ?? []));
    const rights = new Set([...ownRights(name), ...further]);
    const actions = [...kinds.values()].map((kind) => [kind.type, actionsOf(kind, rights)] as const);
    // A revision has the rights of a post, whatever it is a state of.
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

/** Stock servers also count roles in levels, from 0 to this one, and clients read them among the rights. */
const TOP_LEVELS: Record<Role, number> = { subscriber: 0, contributor: 1, author: 2, editor: 7, administrator: 10 };

/** Everything a user of a role has, as the interface lists it: rights, levels and the role itself. */
export function listCapabilities(name: Role, { rights }: Permissions): string[] {
  const levels = Array.from({ length: TOP_LEVELS[name] + 1 }, (_, level) => `level_${level}`).toReversed();
  return [...rights, ...levels, name];
}
