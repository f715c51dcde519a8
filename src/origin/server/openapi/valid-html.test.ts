import { expect, it } from 'vitest';
import { createTestContext } from '#origin/testing/test-context.ts';
import { validateHtml } from '#files/testing/validate-html.ts';
import { MODULES } from '../modules.ts';
import { createPublishingRoutes } from '../publishing/publishing-interface.ts';
import { openApiPages } from './openapi-pages.ts';

it('the reference page is valid HTML', async () => {
  const context = await createTestContext();
  const pages = openApiPages(context, createPublishingRoutes(context), MODULES);
  const markup = await (await pages.request('/reference/')).text();
  expect(await validateHtml(markup, { 'no-inline-style': 'off' })).toEqual([]);
  await context.store.close();
}, 60_000);
