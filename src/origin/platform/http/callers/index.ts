export { createAuthenticator, type Authenticate, type Credentials } from './authenticate.ts';
export { can, listCapabilities, rightsOf, type Right } from './capabilities.ts';
export { ANONYMOUS, type Caller } from './caller.ts';
export { restNonce } from './rest-nonce.ts';
