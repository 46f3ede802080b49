/** Documents that are ZIP files of parts. */
import { UnreadableFile } from "../../domain/unreadable-file.ts";
import type { Markdown } from "./markdown.ts";
import { type Properties, readOfficeProperties } from "./office/properties.ts";
import { childElements, decodeXml, descendants, readXml } from "./xml.ts";
import type { Zip } from "./zip.ts";

type Format = "docx" | "pptx" | "xlsx" | "odf" | "epub";

export interface PackageType {
  readonly format: Format;
  readonly mediaType: string;
}

const OFFICE = "application/vnd.openxmlformats-officedocument.";
/** By the content type of the main part. */
const OFFICE_TYPES: readonly (readonly [pattern: RegExp, PackageType])[] = [
  [
    /wordprocessingml\.(?:document|template)\.main/,
    { format: "docx", mediaType: `${OFFICE}wordprocessingml.document` },
  ],
  [
    /presentationml\.(?:presentation|template|slideshow)\.main/,
    { format: "pptx", mediaType: `${OFFICE}presentationml.presentation` },
  ],
  [/spreadsheetml\.(?:sheet|template)\.main/, { format: "xlsx", mediaType: `${OFFICE}spreadsheetml.sheet` }],
];
const OPEN_DOCUMENT = /^application\/vnd\.oasis\.opendocument\.(?:text|spreadsheet|presentation)/;

/** @returns null for an archive of files. @throws UnreadableFile for macros, encryption, and documents of other programs */
export async function recognisePackage(zip: Zip): Promise<PackageType | null> {
  const mimetype = (await zip.find("mimetype"))?.subarray(0, 100).toString("latin1").trim() ?? "";
  if (mimetype === "application/epub+zip") return { format: "epub", mediaType: mimetype };
  if (OPEN_DOCUMENT.test(mimetype)) {
    await requireReadableOdf(zip);
    return { format: "odf", mediaType: mimetype };
  }
  const types = await zip.find("[Content_Types].xml");
  if (types !== null) return recogniseOffice(zip, decodeXml(types));
  if (zip.names.some((name) => name.endsWith("Document.iwa"))) {
    throw new UnreadableFile("The file is of Apple's iWork; export it as PDF or DOCX and send that.");
  }
  return null;
}

export async function readPackage(
  { format }: PackageType,
  zip: Zip,
  markdown: Markdown,
): Promise<Properties> {
  switch (format) {
    case "docx": {
      const { readDocx } = await import("./office/read-docx.ts");
      await readDocx(zip, markdown);
      return await readOfficeProperties(zip);
    }
    case "pptx": {
      const { readPptx } = await import("./office/read-pptx.ts");
      await readPptx(zip, markdown);
      return await readOfficeProperties(zip);
    }
    case "xlsx": {
      const { readXlsx } = await import("./office/read-xlsx.ts");
      await readXlsx(zip, markdown);
      return await readOfficeProperties(zip);
    }
    case "odf": {
      const { readOdf, readOdfProperties } = await import("./office/read-odf.ts");
      await readOdf(zip, markdown);
      return await readOdfProperties(zip);
    }
    case "epub": {
      const { readEpub } = await import("./web/read-epub.ts");
      return await readEpub(zip, markdown);
    }
  }
}

function recogniseOffice(zip: Zip, types: string): PackageType {
  // Mostly of one part, but some programs give the type of the main part as that of all XML.
  const contents = childElements(readXml(types)).map(({ attributes }) => attributes["ContentType"] ?? "");
  const hasMacros = zip.names.some((name) => name.endsWith("vbaProject.bin"));
  if (hasMacros || contents.some((type) => /macroEnabled/i.test(type))) {
    throw new UnreadableFile(
      "The file contains macros; save it without them (as DOCX, XLSX or PPTX) and send that.",
    );
  }
  const found = OFFICE_TYPES.find(([pattern]) => contents.some((type) => pattern.test(type)));
  if (found === undefined) {
    throw new UnreadableFile(
      "The file is a document of an Office program other than Word, Excel and PowerPoint.",
    );
  }
  return found[1];
}

async function requireReadableOdf(zip: Zip): Promise<void> {
  const manifest = await zip.find("META-INF/manifest.xml");
  if (manifest !== null && descendants(readXml(decodeXml(manifest)), "encryption-data").length > 0) {
    throw new UnreadableFile("The file is encrypted. Remove its password and send it again.");
  }
  if (zip.names.some((name) => /^(?:Basic|Scripts)\/.{0,200}\.(?:xba|py|js|bsh)$/.test(name))) {
    throw new UnreadableFile("The file contains macros; save it without them and send that.");
  }
}
