import { setGlobalProxyFromEnv } from 'node:http';
import { type Dispatcher, EnvHttpProxyAgent } from 'undici';

/** The proxy of a company network, as its usual variables name it. */
export interface ProxySettings {
  readonly HTTPS_PROXY?: string | undefined;
  readonly HTTP_PROXY?: string | undefined;
  /** Hosts that are reached directly, with commas between them. */
  readonly NO_PROXY?: string | undefined;
}

/** This machine is never behind a proxy. */
const here = ['localhost', '127.0.0.1', '::1'];

/**
 * Sends all HTTP of this process through the proxy from here on. An address that is none is left to the check of the
 * settings.
 */
export function installProxy(settings: ProxySettings): void {
  const { HTTPS_PROXY: https_proxy, HTTP_PROXY: http_proxy } = settings;
  const proxies = Object.entries({ https_proxy, http_proxy }).filter(([, url]) => url && URL.canParse(url));
  if (proxies.length === 0) return;
  setGlobalProxyFromEnv({ ...Object.fromEntries(proxies), no_proxy: direct(settings) });
}

/** For a library with an undici of its own; undefined without a proxy. A WebSocket needs HTTP/1.1. */
export function proxyDispatcher(settings: ProxySettings): Dispatcher | undefined {
  const { HTTPS_PROXY: httpsProxy, HTTP_PROXY: httpProxy } = settings;
  if (httpsProxy === undefined && httpProxy === undefined) return undefined;
  return new EnvHttpProxyAgent({
    // Without one of them undici would take it from the environment.
    httpsProxy: httpsProxy ?? '',
    httpProxy: httpProxy ?? '',
    noProxy: direct(settings),
    allowH2: false,
  });
}

/** The proxy for people to read: its host, without a password. */
export function proxyHost(settings: ProxySettings): string | null {
  const address = settings.HTTPS_PROXY ?? settings.HTTP_PROXY;
  return address === undefined ? null : new URL(address).host;
}

function direct({ NO_PROXY: hosts = '' }: ProxySettings): string {
  return [...here, hosts].filter((one) => one !== '').join(',');
}
