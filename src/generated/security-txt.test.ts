import { afterEach, describe, expect, it } from 'vitest';
import { languages } from '#catalogue/testing/write-snapshot.ts';
import { checkSecurityContact } from '#commands/checks/build-warnings.ts';
import { resolveTestSettings } from './hosts/testing/test-settings.ts';
import { securityTxt } from './generators.ts';
import { openTestSite, type TestSite } from './testing/test-generators.ts';

const security = { contact: ['mailto:security@haldenwerk.example'], expires: '2027-03-31' };

let site: TestSite | undefined;
afterEach(() => {
  site?.close();
  site = undefined;
});

describe('security.txt', () => {
  it('names who is to be told, until when, and in which languages', async () => {
    site = openTestSite({ records: { language: languages('de-de', 'en-gb') } }, { security });
    await site.update([securityTxt]);
    expect(site.files.get('.well-known/security.txt')).toBe(
      `Contact: mailto:security@haldenwerk.example
Expires: 2027-03-31T00:00:00Z
Preferred-Languages: de, en
Canonical: https://catalogue.example/.well-known/security.txt
`,
    );
  });

  it('is not there where nobody is named', async () => {
    site = openTestSite({ records: { language: languages('de-de') } });
    await site.update([securityTxt]);
    expect([...site.files.keys()]).toEqual([]);
  });

  it('is warned of thirty days before it expires, and not earlier', () => {
    const settings = resolveTestSettings({ security });
    const on = (date: string) => checkSecurityContact(settings, new Date(`${date}T12:00:00Z`));
    expect(on('2027-02-20')).toBeUndefined();
    expect(on('2027-03-10')).toMatch(/expires on 2027-03-31, in 20 days/);
    expect(on('2027-04-10')).toMatch(/expired on 2027-03-31/);
    expect(checkSecurityContact(resolveTestSettings(), new Date())).toBeUndefined();
  });
});
