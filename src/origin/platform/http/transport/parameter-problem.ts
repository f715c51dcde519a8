import { refuseCommon, type RestError } from './rest-error.ts';

/** What is wrong with one parameter. Without a code, all that can be said is that it is wrong. */
export interface ParameterProblem {
  name: string;
  code?: string;
  text: string;
  data?: Readonly<Record<string, unknown>>;
}

/** All that is wrong with a request's parameters, as one error. */
export function invalidParameters(problems: readonly ParameterProblem[]): RestError {
  const details = problems.flatMap(({ name, code, text, data }) =>
    code === undefined ? [] : [[name, { code, message: text, data: data ?? null }] as const],
  );
  return refuseCommon(
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
