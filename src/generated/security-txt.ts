import type { FileGenerator } from './generator.ts';

/** `/.well-known/security.txt` (RFC 9116), where somebody is named for reports of security problems. */
export const securityTxt: FileGenerator = {
  name: 'security',
  update: ({ settings: { options, siteUrl }, languages, put }) => {
    const { security, mainLanguage } = options;
    if (!security) return;
    const codes = [mainLanguage, ...languages.map(({ code }) => code)].map((code) => code.slice(0, 2));
    const lines = [
      ...security.contact.map((contact) => `Contact: ${contact}`),
      `Expires: ${security.expires}T00:00:00Z`,
      `Preferred-Languages: ${[...new Set(codes)].join(', ')}`,
      `Canonical: ${siteUrl}/${PLACE}`,
      ...(security.policy === undefined ? [] : [`Policy: ${security.policy}`]),
    ];
    put(PLACE, `${lines.join('\n')}\n`);
  },
};

const PLACE = '.well-known/security.txt';
