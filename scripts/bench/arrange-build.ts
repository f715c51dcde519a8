import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import type { Scenario } from './build-rows.ts';
import type { Builder } from './builders.ts';
import { editFile } from './copy-project.ts';
import type { Catalogue } from './catalogue.ts';
import { CATALOGUE_LANGUAGES } from './make-catalogue.ts';

/** What a template of the product page carries that is changed. */
const MAKER = /<div class="maker"[^>]*>/;

/** Makes a builder begin with a catalogue, and with nothing that is kept. */
export function startOver(builder: Builder, catalogue: Catalogue): void {
  builder.take(catalogue);
  builder.forget();
}

/**
 * Makes things as they are when a scenario begins; that isn't measured.
 * @param state `template` is the number of the template to use.
 */
export function arrange(
  builder: Builder,
  scenario: Scenario,
  { catalogue, template }: { catalogue: Catalogue; template: number },
): void {
  if (scenario === 'cold') builder.forget();
  if (scenario === 'cached-bundle') {
    // All product pages, and all lists and texts of a language.
    for (const language of CATALOGUE_LANGUAGES) rmSync(path.join(builder.distFolder, language), { recursive: true });
  }
  if (scenario === 'one') builder.take(catalogue);
  if (scenario === 'template') editFile(builder.template, MAKER, `<div class="maker" data-edition="${template}">`);
}

/** Lets the disk come to rest, where there is a `sync`: what was arranged shall not be written while something is measured. */
export function settle(): void {
  spawnSync('sync');
}
