import type { Sitemap } from "../../../ports/sitemap-reader.ts";
import { decodeXml, scanXml } from "../xml.ts";

/** After the mark of the encoding, the declaration, instructions for styles and comments. */
const ROOT =
  /^(?:\xef\xbb\xbf)?\s{0,99}(?:<[?!][^>]{0,300}>\s{0,99}){0,5}<(?:\w{1,20}:)?(?:urlset|sitemapindex)[\s>]/;
const ENTRIES: readonly string[] = ["url", "sitemap"];

/** By the beginning of a file, of some hundred bytes at least. */
export function isSitemap(start: Uint8Array): boolean {
  return ROOT.test(Buffer.from(start).toString("latin1").slice(0, 2_000));
}

/** @throws UnreadableFile */
export function readSitemap(bytes: Uint8Array): Sitemap {
  const open: string[] = [];
  const addresses = new Set<string>();
  let [isIndex, address] = [false, ""];
  // Pictures and films of a page have addresses, too.
  const isAddress = () => open.at(-1) === "loc" && ENTRIES.includes(open.at(-2) ?? "");
  scanXml(decodeXml(bytes), {
    open(name) {
      if (open.length === 0) isIndex = name === "sitemapindex";
      open.push(name);
      address = "";
    },
    text(piece) {
      if (isAddress()) address += piece;
    },
    close() {
      if (isAddress() && address.trim() !== "") addresses.add(address.trim());
      open.pop();
    },
  });
  return { isIndex, addresses: [...addresses] };
}
