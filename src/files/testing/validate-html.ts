import type * as Html from 'html-validate';
import { loadAuditTool } from './audit-tools.ts';

const { HtmlValidate } = loadAuditTool<typeof Html>('html-validate');

type Rules = Readonly<Record<string, 'off' | 'error'>>;

/** Rules of style, which generated markup needn't follow. */
const STYLE: Rules = {
  'attr-quotes': 'off',
  'doctype-style': 'off',
  'long-title': 'off',
  'no-trailing-whitespace': 'off',
  'void-style': 'off',
};

/** Returns the errors of an HTML document with their location. */
export async function validateHtml(markup: string, rules: Rules = {}): Promise<string[]> {
  const validator = new HtmlValidate({ extends: ['html-validate:recommended'], rules: { ...STYLE, ...rules } });
  const { results } = await validator.validateString(markup);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line, column }) => `${line}:${column}: ${ruleId}: ${message}`),
  );
}
