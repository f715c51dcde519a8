/**
 * Query parameters by which storage services sign an address for a while: they change at every request and say
 * nothing of the content.
 */
const SIGNATURE_PARAMETERS =
  /^(x-amz-.+|x-goog-.+|awsaccesskeyid|googleaccessid|signature|expires|key-pair-id|policy|sig|se|sp|sv|sr|st|skoid|sktid|skt|ske|sks|skv)$/i;

/** The address without its signature: what assets are known by, and what digests are made from. */
export function stripSignature(address: string): string {
  if (!address.includes('?') || !URL.canParse(address)) return address;
  const url = new URL(address);
  const names = [...url.searchParams.keys()];
  // `sp`, `st` and the like are ordinary words unless a signature stands beside them.
  if (!names.some((name) => /signature|^sig$/i.test(name))) return address;
  for (const name of names) if (SIGNATURE_PARAMETERS.test(name)) url.searchParams.delete(name);
  return url.href;
}
