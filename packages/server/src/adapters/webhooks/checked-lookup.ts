/** Name resolution that only gives addresses that may be connected to. */
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
 * For the `lookup` option of a request: the socket is connected to one of the very addresses that were checked, so that a
 * name that resolves to something else a moment later changes nothing. A name with any address that is not public is refused
 * as a whole.
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
