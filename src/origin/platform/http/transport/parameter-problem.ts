import { createCommonError, type RestError } from './rest-error.ts';

/** A problem with one parameter. Without a code it is merely invalid. */
export interface ParameterProblem {
  name: string;
  code?: string;
  text: string;
  data?: Readonly<Record<string, unknown>>;
}

/** Combines all problems with the parameters of a request into one error. */
export function invalidParameters(problems: readonly ParameterProblem[]): RestError {
  const details = problems.flatMap(({ name, code, text, data }) =>
    code === undefined ? [] : [[name, { code, message: text, data: data ?? null }] as const],
  );
  return createCommonError(
    'rest_invalid_param',
    `These parameters are not valid: ${problems.map(({ name }) => name).join(', ')}`,
    {
      details: {
        params: Object.fromEntries(problems.map(({ name, text }) => [name, text])),
        details: details.length === 0 ? [] : Object.fromEntries(details),
      },
    },
  );
}
