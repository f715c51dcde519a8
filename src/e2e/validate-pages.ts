import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { HtmlValidate } from 'html-validate';

/** What the standard asks for, without what is a matter of style, and generated text needn't have one. */
const validator = new HtmlValidate({
  extends: ['html-validate:recommended'],
  rules: {
    'attr-quotes': 'off',
    'doctype-style': 'off',
    'long-title': 'off',
    'no-inline-style': 'error',
    'no-trailing-whitespace': 'off',
    'void-style': 'off',
    // A form that answers while it is filled in has nothing to submit.
    'wcag/h32': 'off',
  },
});

/** Tells what is no valid HTML in pages of a built site, and where. */
export async function validatePages(dist: string, pages: readonly string[]): Promise<string[]> {
  const problems: string[] = [];
  for (const page of pages) {
    const text = await readFile(path.join(dist, page.endsWith('/') ? `${page}index.html` : page), 'utf8');
    const { results } = await validator.validateString(text);
    for (const { messages } of results)
      for (const { ruleId, message, line, column } of messages)
        problems.push(`${page}:${line}:${column}: ${ruleId}: ${message}`);
  }
  return problems;
}
