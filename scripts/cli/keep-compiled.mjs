import { enableCompileCache } from 'node:module';

// Before the first module of TypeScript is read: else that alone loads the compiler, each time.
enableCompileCache();
