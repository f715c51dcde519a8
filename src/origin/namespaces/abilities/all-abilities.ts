import { announceChange } from './announce-change.ts';
import { getEnvironmentInfo } from './get-environment-info.ts';
import { getSiteInfo } from './get-site-info.ts';
import { getUserInfo } from './get-user-info.ts';
import type { Ability } from '#origin/platform/abilities/ability.ts';

export const ABILITY_CATEGORIES = [
  { slug: 'site', label: 'Site', description: 'What the site is and holds, and telling others of it.' },
  { slug: 'user', label: 'User', description: 'Who the caller is.' },
] as const;

/**
 * Everything an origin can do for a program, where it has what is needed for it.
 *
 * @param others What parts of it beside this namespace can do.
 */
export function allAbilities(others: readonly Ability[]): readonly Ability[] {
  return [getSiteInfo, getUserInfo, getEnvironmentInfo, ...others, announceChange];
}
