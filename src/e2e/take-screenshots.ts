import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import sharp, { type Sharp } from 'sharp';

/** Widths of a phone, a tablet and a desktop in CSS px; a sheet shows them side by side at `SHEET_HEIGHT`. */
const WIDTHS = [360, 768, 1440];
const SCHEMES = ['light', 'dark'] as const;
const SCREEN_HEIGHT = 1800;
const SHEET_HEIGHT = 720;
const GAP = 24;
const QUALITY = 50;

export interface ScreenshotOptions {
  siteUrl: string;
  /** Paths by name. */
  pages: Readonly<Record<string, string>>;
  folder: string;
  /** Also saves every screenshot as `<name>-<width>-<scheme>.png`. */
  keepOriginals: boolean;
}

/** Takes each page in three widths, light and dark, and combines the six into `<folder>/<name>.webp`. */
export async function takeScreenshots(browser: Browser, options: ScreenshotOptions): Promise<string[]> {
  const { siteUrl, pages, folder, keepOriginals } = options;
  await mkdir(folder, { recursive: true });
  const files: string[] = [];
  for (const [name, page] of Object.entries(pages)) {
    const rows = [];
    for (const colorScheme of SCHEMES) {
      const shots = [];
      for (const width of WIDTHS) {
        const context = await browser.newContext({ viewport: { width, height: SCREEN_HEIGHT }, colorScheme });
        const tab = await context.newPage();
        await tab.goto(siteUrl + page, { waitUntil: 'networkidle' });
        const png = await tab.screenshot();
        await context.close();
        if (keepOriginals) await writeFile(path.join(folder, `${name}-${width}-${colorScheme}.png`), png);
        shots.push(await sharp(png).resize({ height: SHEET_HEIGHT }).png().toBuffer({ resolveWithObject: true }));
      }
      rows.push(shots);
    }
    const file = path.join(folder, `${name}.webp`);
    await joinShots(rows).webp({ quality: QUALITY, effort: 6 }).toFile(file);
    files.push(file);
  }
  return files;
}

type Shot = { data: Buffer; info: { width: number } };

/** Joins a row of light and a row of dark screenshots. */
function joinShots(rows: readonly (readonly Shot[])[]): Sharp {
  const width = Math.max(...rows.map((row) => row.reduce((sum, { info }) => sum + info.width + GAP, GAP)));
  const height = rows.length * (SHEET_HEIGHT + GAP) + GAP;
  const placed = rows.flatMap((row, y) => {
    let left = GAP;
    return row.map(({ data, info }) => {
      const at = { input: data, left, top: GAP + y * (SHEET_HEIGHT + GAP) };
      left += info.width + GAP;
      return at;
    });
  });
  return sharp({ create: { width, height, channels: 3, background: '#8a9299' } }).composite(placed);
}
