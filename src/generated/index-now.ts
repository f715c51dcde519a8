import type { Output } from './generator.ts';

/** The file by which search engines know that who announces changes may do so. */
export const indexNowOutput: Output = {
  name: 'indexnow',
  update: ({ settings: { options }, put }) => {
    if (options.indexNow) put(`${options.indexNow.key}.txt`, options.indexNow.key);
  },
};
