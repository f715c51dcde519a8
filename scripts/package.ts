import { JSON_ARG, runScript } from './cli/index.ts';

export default await runScript(import.meta, {
  meta: { name: 'npm run package --', description: 'Compile the packages and pack them as tarballs' },
  args: { json: JSON_ARG },
  run: async ({ args }) => {
    const { PACKAGES_FOLDER, writePackages } = await import('./packages/write-packages.ts');
    const tarballs = writePackages(PACKAGES_FOLDER);
    console.log(args.json ? JSON.stringify({ tarballs }) : `Packed ${tarballs.join(', ')}.`);
  },
});
