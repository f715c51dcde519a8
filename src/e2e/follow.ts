import type { Locator } from 'playwright-core';

/** Clicks a link and waits until the page it leads to has loaded: a click alone ends as soon as the address changes. */
export async function follow(link: Locator): Promise<void> {
  await Promise.all([link.page().waitForEvent('load'), link.click()]);
}
