import { enableCompileCache } from 'node:module';

// Must run before the first TypeScript module is loaded: otherwise that alone loads the compiler, each time.
enableCompileCache();
