export { createAuthenticator, type Authenticate, type Credentials } from './authenticate.ts';
export { ANONYMOUS, can, isAllowed, createCaller, type Caller } from './caller.ts';
export { restNonce } from './authenticate.ts';
