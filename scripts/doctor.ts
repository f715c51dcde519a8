import { EXIT_FAILED, runScript } from './cli/index.ts';

export default await runScript(import.meta, {
  meta: {
    name: 'npm run doctor --',
    description:
      'Check the configuration, upstreams, snapshot and machine, probe the product interface, and suggest fixes. Exits with 1 if something is wrong.',
  },
  args: { json: { type: 'boolean', description: 'Print the findings as JSON' } },
  run: async ({ args }) => {
    const { diagnose } = await import('#commands/doctor/diagnose.ts');
    const { formatFindings } = await import('#commands/doctor/finding.ts');
    const { loadSettings } = await import('./cli/load-settings.ts');

    const findings = await diagnose(loadSettings);
    const colours = process.stdout.isTTY && process.stdout.hasColors();
    console.log(args.json ? JSON.stringify(findings) : formatFindings(findings, { colours }));
    if (findings.some(({ status }) => status === 'fail')) process.exitCode = EXIT_FAILED;
  },
});
