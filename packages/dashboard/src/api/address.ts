/** A URL of the service. It is relative to the page's base, which may have a path prefix. */
export function serviceUrl(path: string): string {
  return new URL(path.replace(/^\//, ""), document.baseURI).href;
}

/** The base path in the form that the router requires: without a trailing slash, except for the root. */
export function basePath(): string {
  const path = new URL(document.baseURI).pathname.replace(/\/{1,64}$/, "");
  return path === "" ? "/" : path;
}
