import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api';

// drizzle-kit adds a method `random` to all arrays, which breaks other libraries.
Reflect.deleteProperty(Array.prototype, 'random');

export { generateDrizzleJson, generateMigration };
