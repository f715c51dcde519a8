import { hashSecret } from './hash-secret.ts';

/** Only letters and digits count: people paste application passwords with and without their spaces. */
export function hashApplicationPassword(password: string): string {
  return hashSecret(password.replace(/[^a-zA-Z0-9]/g, ''));
}
