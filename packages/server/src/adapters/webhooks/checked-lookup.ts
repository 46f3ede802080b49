/** Name resolution that returns only addresses to which connections are allowed. */
import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import type { IsPublicAddress } from "./public-address.ts";

/** All addresses of a host name. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

export class PrivateAddressError extends Error {
  constructor(host: string) {
    super(`${host} leads to a private address`);
    this.name = "PrivateAddressError";
  }
}

/**
 * For the `lookup` option of a request: the socket connects to one of the checked addresses, so that a name
 * that resolves to another address a moment later (DNS rebinding) has no effect. A name with any address that
 * is not public is rejected entirely.
 */
export function createCheckedLookup(resolve: Resolve, isPublic: IsPublicAddress): LookupFunction {
  return (host, options, callback) => {
    const fail = (error: unknown) =>
      callback(error instanceof Error ? error : new Error(String(error)), options.all === true ? [] : "");
    resolve(host).then((addresses) => {
      const [first] = addresses;
      if (first === undefined) return fail(new Error(`${host} has no address`));
      if (!addresses.every(({ address }) => isPublic(address))) return fail(new PrivateAddressError(host));
      if (options.all === true) callback(null, [...addresses]);
      else callback(null, first.address, first.family);
    }, fail);
  };
}
