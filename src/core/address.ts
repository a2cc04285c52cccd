function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Clouds serve credentials to anyone on the machine at these addresses; no vendor lives there. */
function isLinkLocal(hostname: string): boolean {
  if (/^169\.254(\.\d{1,3}){2}$/.test(hostname)) return true;
  // URL writes an IPv4 address inside IPv6 as two groups: 169.254 is a9fe.
  return /^\[(fe[89ab][0-9a-f]:|::(ffff:)?a9fe:)/.test(hostname);
}

/** Hosts of links, with their port where they have one: `acme.atlassian.net`, `127.0.0.1:4010`, `*.pagerduty.com`. */
export type LinkHosts = readonly string[];

/** Whether a vendor's address may become a live link: only when it points to a host the operator works with. */
export function mayLink(address: string, hosts: LinkHosts): boolean {
  if (!URL.canParse(address)) return false;
  const url = new URL(address);
  if (!mayLeave(url) || url.username !== '' || url.password !== '') return false;
  return hosts.some((host) => (host.startsWith('*.') ? url.host.endsWith(host.slice(1)) : url.host === host));
}

/** Egress is closed: https may leave, plain http stays on this machine, link-local addresses are never contacted. */
export function mayLeave(url: URL): boolean {
  if (isLinkLocal(url.hostname)) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
}
