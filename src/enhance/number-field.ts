import { formatNumberInput, type ParsedNumber } from '#catalogue/quantities/number-input.ts';
import { fillPlaceholders } from './find-element.ts';

export type NumberProblem =
  | Exclude<ParsedNumber, { ok: true }>
  | { reason: 'positive'; max: string }
  | { reason: 'percent' }
  /** Wider than the product is declared for, in mm. */
  | { reason: 'joint'; limit: string };

export type NumberTexts = Readonly<Record<NumberProblem['reason'], string>>;

/** Marks an invalid field, and writes the expected format into its note (`data-note`). */
export function markField(
  input: HTMLInputElement,
  problem: NumberProblem | undefined,
  texts: Partial<NumberTexts>,
): void {
  const note = document.querySelector(`#${CSS.escape(input.dataset['note'] ?? '')}`);
  const text = problem ? formatProblem(problem, input.value.trim(), texts) : '';
  if (note && note.textContent !== text) note.textContent = text;
  if (problem) input.setAttribute('aria-invalid', 'true');
  else input.removeAttribute('aria-invalid');
}

function formatProblem(problem: NumberProblem, text: string, texts: Partial<NumberTexts>): string {
  const values: Record<string, string> = { text, example: write('12.5') };
  if (problem.reason === 'ambiguous') Object.assign(values, { small: write(problem.small), large: problem.large });
  if (problem.reason === 'positive') values['max'] = problem.max;
  if (problem.reason === 'joint') values['limit'] = `${write(problem.limit)}\u00a0mm`;
  return fillPlaceholders(texts[problem.reason] ?? '', values);
}

function write(number: string): string {
  return formatNumberInput(number, document.documentElement.lang);
}
