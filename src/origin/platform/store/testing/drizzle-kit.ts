import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api';

// It gives all arrays a method `random`, which other libraries refuse to run with.
Reflect.deleteProperty(Array.prototype, 'random');

export { generateDrizzleJson, generateMigration };
