/**
 * Turns off Astro's telemetry and update check, so that builds need no network. Existing values of the variables are
 * preserved.
 */
export function disableAstroNetwork(environment: NodeJS.ProcessEnv = process.env): void {
  environment['ASTRO_TELEMETRY_DISABLED'] ??= '1';
  environment['ASTRO_DISABLE_UPDATE_CHECK'] ??= 'true';
}
