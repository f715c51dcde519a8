// Excludes route declarations and imports, because every build loads this file.
export * from './gtin.ts';
export * from './media-file.ts';
export * from './namespaces.ts';
export * from './parse-value.ts';
export * from './route.ts';
export * from './scan-text.ts';
export * from './site-clock.ts';
export * from './sortiment-error.ts';
export * from './user-info.ts';
export * from './wire.ts';
