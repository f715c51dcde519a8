import type { FileGenerator } from './generator.ts';

/** The file by which search engines know that who announces changes may do so. */
export const indexNow: FileGenerator = {
  name: 'indexnow',
  update: ({ settings: { options }, put }) => {
    if (options.indexNow) put(`${options.indexNow.key}.txt`, options.indexNow.key);
  },
};
