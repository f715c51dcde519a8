import path from 'node:path';

/** Folder of Sortiment: a package of the project, or the project itself in a checkout. */
export const PACKAGE_FOLDER = path.resolve(import.meta.dirname, '../..');
