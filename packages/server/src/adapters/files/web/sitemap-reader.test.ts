import assert from "node:assert/strict";
import { test } from "node:test";
import { readSitemap, isSitemap as tells } from "./sitemap-reader.ts";

const open = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">';
const isSitemap = (text: string) => tells(Buffer.from(text));
const addressesOf = (text: string) => readSitemap(Buffer.from(text)).addresses;

test("a sitemap is told by its first element", () => {
  assert.ok(isSitemap(open));
  assert.ok(
    isSitemap(`\uFEFF<?xml version="1.0"?>\n<?xml-stylesheet href="a.xsl"?>\n<!-- a > b -->${open}`) ===
      false,
  );
  assert.ok(isSitemap(`\uFEFF<?xml version="1.0"?>\n<!-- made -->\n<s:urlset xmlns:s="x">`));
  assert.ok(isSitemap('<?xml version="1.0"?><sitemapindex>'));
  for (const other of [
    "",
    "<html><body>&lt;urlset></body></html>",
    "<rss><urlset></urlset></rss>",
    "# <urlset>",
  ])
    assert.equal(isSitemap(other), false, other);
  assert.equal(isSitemap(`${"<!---->".repeat(10_000)}${open}`), false);
});

test("addresses are those of pages, each once, without those of pictures", () => {
  const pages = `${open}<url><loc> https://a.example/?a=1&amp;b=2 </loc><image:image><image:loc>https://a.example/i.png</image:loc></image:image></url>
    <url><loc>https://a.example/b</loc></url><url><loc>https://a.example/b</loc></url><loc>https://c.example</loc></urlset>`;
  assert.deepEqual(addressesOf(pages), ["https://a.example/?a=1&b=2", "https://a.example/b"]);
  const index = "<sitemapindex><sitemap><loc>https://a.example/1.xml</loc></sitemap></sitemapindex>";
  assert.deepEqual(readSitemap(Buffer.from(index)), {
    isIndex: true,
    addresses: ["https://a.example/1.xml"],
  });
  assert.deepEqual(addressesOf(`${open}<url><loc>https://a.example/`), ["https://a.example/"]);
});
