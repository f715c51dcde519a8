export type { RegisterList, RegisterRow } from '../port/register.ts';
