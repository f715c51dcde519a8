/** Takes a secret out of a text that may echo it, such as the documentation page that shows its reader's token. */
export function maskSecret(text: string, secret: string | undefined): string {
  return secret ? text.replaceAll(secret, '***').replaceAll(encodeURIComponent(secret), '***') : text;
}
