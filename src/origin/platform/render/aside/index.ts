export { runAside } from './run-aside.ts';
