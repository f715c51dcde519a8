import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { HtmlValidate } from 'html-validate';

/** Rules of the standard, without those of style, which generated markup needn't follow. */
const validator = new HtmlValidate({
  extends: ['html-validate:recommended'],
  rules: {
    'attr-quotes': 'off',
    'doctype-style': 'off',
    'long-title': 'off',
    'no-inline-style': 'error',
    'no-trailing-whitespace': 'off',
    'void-style': 'off',
    // A form that updates while it is filled in needs no submit button.
    'wcag/h32': 'off',
  },
});

/** Returns HTML errors of pages in a built site with their location. */
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
