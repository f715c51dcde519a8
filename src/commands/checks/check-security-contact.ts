import type { Settings } from '#config/index.ts';

const DAY_MS = 86_400_000;
const WARN_DAYS = 30;

/** Returns a warning about the expiry date of security.txt; undefined if it isn't due. */
export function checkSecurityContact({ options }: Pick<Settings, 'options'>, now: Date): string | undefined {
  const { security } = options;
  if (!security) return undefined;
  const days = Math.floor((Date.parse(security.expires) - now.getTime()) / DAY_MS);
  if (days >= WARN_DAYS) return undefined;
  const when = days < 0 ? `expired on ${security.expires}` : `expires on ${security.expires}, in ${days} days`;
  return `security.txt ${when}: check the contact and set a later \`security.expires\` in src/sortiment.config.ts.`;
}
