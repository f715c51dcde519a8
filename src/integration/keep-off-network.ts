/**
 * Astro reports its use and looks for updates over the network. A build here never touches it, so both are off unless
 * somebody has set these variables to something else.
 */
export function keepOffNetwork(environment: NodeJS.ProcessEnv = process.env): void {
  environment['ASTRO_TELEMETRY_DISABLED'] ??= '1';
  environment['ASTRO_DISABLE_UPDATE_CHECK'] ??= 'true';
}
