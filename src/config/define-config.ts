import { formatProblems, parseValue, SortimentError } from '#contracts/index.ts';
import { options, type Options, type OptionsInput } from './options.ts';

/**
 * Validates the options of `src/sortiment.config.ts` and fills in the defaults.
 * @throws SortimentError CONFIG_INVALID that lists every problem.
 */
export function defineConfig(input: OptionsInput): Options {
  const parsed = parseValue(options, input);
  if (parsed.ok) return parsed.value;
  throw new SortimentError(
    'CONFIG_INVALID',
    `src/sortiment.config.ts has a problem:\n${formatProblems(parsed.problems)}`,
    {
      hint: 'Correct the options named above; src/config/options.ts lists them all.',
    },
  );
}
