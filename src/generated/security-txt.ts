import type { FileGenerator } from './generator.ts';

/** Generates `/.well-known/security.txt` (RFC 9116) with the security contact. */
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
      `Canonical: ${siteUrl}/${FILE}`,
      ...(security.policy === undefined ? [] : [`Policy: ${security.policy}`]),
    ];
    put(FILE, `${lines.join('\n')}\n`);
  },
};

const FILE = '.well-known/security.txt';
