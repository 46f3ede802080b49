import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { loadConfig } from "./config.ts";

const folder = mkdtempSync(join(tmpdir(), "kcs-ocr-"));
writeFileSync(join(folder, "deu.traineddata"), "x");
after(() => rmSync(folder, { recursive: true, force: true }));

const languagesOf = (env: Record<string, string>) => loadConfig(env).ocrLanguages.map(({ name }) => name);

test("English is read without a setting, other languages where their data are, and none if it is off", () => {
  assert.deepEqual(languagesOf({}), ["eng"]);
  const german = loadConfig({ KCS_OCR_LANGUAGES: "eng, deu", KCS_OCR_DATA: folder }).ocrLanguages;
  assert.deepEqual(
    german.map(({ name, path }) => [name, path.startsWith(folder)]),
    [
      ["eng", false],
      ["deu", true],
    ],
  );
  assert.deepEqual(languagesOf({ KCS_OCR_LANGUAGES: "off" }), []);
});

for (const [value, expected] of [
  ["deu", /KCS_OCR_LANGUAGES: there is no deu\.traineddata in the folder that KCS_OCR_DATA names/],
  ["../eng", /KCS_OCR_LANGUAGES: got "\.\.\/eng", expected "off" or one to 4 languages like eng,deu/],
  ["a,b,c,d,e", /expected "off" or one to 4 languages/],
] as const) {
  test(`KCS_OCR_LANGUAGES=${value} is refused`, () => {
    assert.throws(() => loadConfig({ KCS_OCR_LANGUAGES: value }), expected);
  });
}
