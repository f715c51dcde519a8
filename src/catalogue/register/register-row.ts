export type { RegisterList, RegisterRow } from '../../loaders/listing/register.ts';
