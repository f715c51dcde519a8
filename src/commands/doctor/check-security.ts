import type { Settings } from '#config/index.ts';
import { checkSecurityContact } from '../checks/check-security-contact.ts';
import { ok, skip, warn, type Finding } from './finding.ts';

/** Whether somebody is named for reports of security problems, and for how long still. */
export function checkSecurity(settings: Pick<Settings, 'options'>, now: Date = new Date()): Finding {
  const { security } = settings.options;
  if (!security) return skip('Security contact', 'none is named: `security` in src/sortiment.config.ts');
  const problem = checkSecurityContact(settings, now);
  if (problem === undefined) return ok('Security contact', `named until ${security.expires}`);
  return warn('Security contact', problem, 'Set a later `security.expires` when the contact is still right.');
}
