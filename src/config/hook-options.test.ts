import { describe, expect, it } from 'vitest';
import { isSortimentError } from '#contracts/index.ts';
import { defineConfig, type OptionsInput } from './index.ts';

type HookInput = NonNullable<OptionsInput['hooks']>[number];

const define = (...hooks: HookInput[]) =>
  defineConfig({
    site: { name: 'Haldenwerk' },
    maker: { name: 'Haldenwerk GmbH', address: ['Am Lehmgraben 12'], email: 'kontakt@haldenwerk.example' },
    mainLanguage: 'de-de',
    hooks,
  }).hooks;

function problemsOf(...hooks: unknown[]): string {
  try {
    define(...(hooks as HookInput[]));
  } catch (error) {
    if (isSortimentError(error)) return error.message;
  }
  throw new Error('was not refused');
}

describe('a hook', () => {
  it('is a generic one with nothing but a name', () => {
    expect(define({ name: 'site' })).toEqual([
      {
        name: 'site',
        type: 'generic',
        urlEnv: 'SORTIMENT_HOOK_URL',
        secretEnv: 'SORTIMENT_HOOK_SECRET',
        debounce: { quietSeconds: 0, maxWaitSeconds: 600 },
      },
    ]);
  });

  it('of another type has the defaults of that type', () => {
    const github = { name: 'a', type: 'github-repository-dispatch', repository: 'haldenwerk/site' } as const;
    const gitlab = { name: 'b', type: 'gitlab', project: 'haldenwerk/site' } as const;
    expect(define(github, gitlab)).toMatchObject([
      { tokenEnv: 'SORTIMENT_HOOK_TOKEN', eventType: 'catalogue-changed', apiUrl: 'https://api.github.com' },
      { ref: 'main', variables: {}, inputs: {}, apiUrl: 'https://gitlab.com/api/v4' },
    ]);
  });

  it('is refused with every problem in words, and without the secret that somebody put there', () => {
    const message = problemsOf(
      { name: 'a', urlEnv: 'https://hook.example/5ec7e7' },
      { name: 'a', type: 'netlify', secretEnv: 'X' },
      { name: 'b', type: 'github-repository-dispatch', repository: 'site', eventType: 'x'.repeat(101) },
      { name: 'c', type: 'gitlab', project: 'a/b', variables: { A: '{colour}' } },
      { name: 'd', type: 'command', command: 'npm run build' },
      { name: 'e', classes: ['colour'], languages: ['Deutsch'], kinds: [], debounce: { quietSeconds: 900 } },
      { name: 'f', type: 'pigeon' },
    );
    expect(message).not.toContain('5ec7e7');
    expect(message).toMatchInlineSnapshot(`
      "src/sortiment.config.ts has a problem:
        hooks[0].urlEnv is not the name of an environment variable
        hooks[1].secretEnv is not a known option
        hooks[2].repository is not of the form "owner/name"
        hooks[2].eventType must be at most 100 characters long
        hooks[3].variables.A may hold only {id}, {type}, {runId}, {previousDigest}, {digest}, {gtins}, {classes}
        hooks[4].command is not a list of a program and its arguments
        hooks[5].classes[0] must be one of "price", "text", "availability", "media", "documents", "attributes", "content", "added", "removed"
        hooks[5].languages[0] is not a lower-case language code such as "de-de"
        hooks[5].kinds must be at least 1 items long
        hooks[5].debounce has a maxWaitSeconds that is less than its quietSeconds
        hooks[6].type has an unknown value"
    `);
  });

  it('has a name of its own', () => {
    expect(problemsOf({ name: 'site' }, { name: 'shop' }, { name: 'site' })).toContain(
      'hooks[2].name is already the name of another hook',
    );
  });
});
