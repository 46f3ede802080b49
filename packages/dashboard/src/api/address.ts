/** Where the service is: the page's base, which may have a path before it. */
export function serviceUrl(path: string): string {
  return new URL(path.replace(/^\//, ""), document.baseURI).href;
}

/** The base as a router wants it: no slash at the end, but for the root. */
export function basePath(): string {
  const path = new URL(document.baseURI).pathname.replace(/\/+$/, "");
  return path === "" ? "/" : path;
}
