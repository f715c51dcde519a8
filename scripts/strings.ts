import { defineCommand } from 'citty';
import { EXIT_FAILED, JSON_ARG, printResult, runScript, UsageError } from './cli/index.ts';
import { loadOptions, ROOT } from './cli/load-settings.ts';

const add = defineCommand({
  meta: { name: 'add', description: 'Write the texts that a language lacks into its file, to be translated' },
  args: {
    language: { type: 'positional', required: true, description: 'Code of the language, such as `sv`' },
    json: JSON_ARG,
  },
  run: async ({ args }) => {
    const { languageCode } = await import('#contracts/product/index.ts');
    const { addStrings } = await import('#commands/strings/strings-files.ts');

    const { success, data: code } = languageCode.safeParse(args.language);
    if (!success)
      throw new UsageError(
        `"${args.language}" is not a language code.`,
        'Write it as in `sv`, or with a region: `sv-se`.',
      );
    const { mainLanguage } = await loadOptions();
    const result = await addStrings(ROOT, code, mainLanguage);
    const { file, added, untranslated } = result;
    const message =
      untranslated === 0
        ? `All texts of ${code} are translated. To replace one, write its key and text into ${file}.`
        : `Added ${added} texts to ${file}. To translate: ${untranslated}, which start with a code such as [en].`;
    printResult(args.json ? { message, ...result } : { message }, args.json);
  },
});

export default await runScript(import.meta, {
  meta: {
    name: 'npm run strings --',
    description: 'List missing and superfluous texts of the user interface. Exits with 1 if there are any.',
  },
  args: { json: JSON_ARG },
  subCommands: { add },
  run: async ({ args }) => {
    const { findStringsGaps } = await import('#commands/strings/strings-files.ts');

    const languages = findStringsGaps(ROOT);
    if (languages.length > 0) process.exitCode = EXIT_FAILED;
    if (args.json) return void console.log(JSON.stringify({ languages }));
    const rows = languages.flatMap(({ language, missing, superfluous }) => [
      ...missing.map((key) => ({ language, problem: 'missing', key })),
      ...superfluous.map((key) => ({ language, problem: 'superfluous', key })),
    ]);
    const message = languages.map(
      ({ language, missing, superfluous }) =>
        `${language}: ${missing.length} texts are missing, ${superfluous.length} superfluous.`,
    );
    printResult({ message: message.join('\n') || 'The texts of all languages are complete.', rows });
  },
});
