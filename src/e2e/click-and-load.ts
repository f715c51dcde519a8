import type { Locator } from 'playwright-core';

/** Clicks a link and waits until its page has loaded: a click alone resolves once the URL changes. */
export async function clickAndLoad(link: Locator): Promise<void> {
  await Promise.all([link.page().waitForEvent('load'), link.click()]);
}
