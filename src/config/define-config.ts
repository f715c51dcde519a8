import { formatProblems, readValue, SortimentError } from '#contracts/index.ts';
import { options, type Options, type OptionsInput } from './options.ts';

/**
 * Checks the choices of `src/sortiment.config.ts` and fills in the defaults.
 * @throws SortimentError CONFIG_INVALID with every problem at once.
 */
export function defineConfig(input: OptionsInput): Options {
  const reading = readValue(options, input);
  if (reading.ok) return reading.value;
  throw new SortimentError(
    'CONFIG_INVALID',
    `src/sortiment.config.ts has a problem:\n${formatProblems(reading.problems)}`,
    {
      hint: 'Correct the options named above; src/config/options.ts lists them all.',
    },
  );
}
